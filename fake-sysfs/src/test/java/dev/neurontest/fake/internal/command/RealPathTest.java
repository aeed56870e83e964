package dev.neurontest.fake.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import picocli.CommandLine;

/** Tests of systems on which no program can run at the real path, regardless of the kernel. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class RealPathTest {

    private static final String OTHERWISE =
            "; alternatively, let the program read a directory: fake-sysfs serve --root DIR, then source DIR/env.sh\n";

    @TempDir
    private Path folder;

    private String runWith(String property, String value) {
        String before = System.setProperty(property, value);
        try {
            StringWriter err = new StringWriter();
            Path root = folder.resolve("host");
            int status = new CommandLine(new FakeSysfsCommand())
                    .setErr(new PrintWriter(err))
                    .execute("exec", "--instance", "inf2.xlarge", "--root", root.toString(), "--", "true");
            assertThat(status).isEqualTo(125);
            assertThat(Files.exists(root)).isFalse();
            return err.toString();
        } finally {
            System.setProperty(property, before);
        }
    }

    @Test
    void isRefusedOutsideLinux() {
        assertThat(runWith("os.name", "Mac OS X"))
                .isEqualTo("fake-sysfs: the real path requires Linux, but this is Mac OS X" + OTHERWISE);
    }

    @Test
    void isRefusedWithoutABuiltLauncher() {
        assertThat(runWith("os.arch", "riscv64"))
                .isEqualTo(
                        "fake-sysfs: the launcher for the real path was not built for riscv64: fake-sysfs has only the files for"
                                + " the kind of machine that built it, and none if that had no gcc. Build it from its sources"
                                + " on this machine, with gcc" + OTHERWISE);
    }
}
