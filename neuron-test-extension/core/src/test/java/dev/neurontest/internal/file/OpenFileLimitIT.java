package dev.neurontest.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.LeaseException;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.lease.table.LeaseTable;
import dev.neurontest.internal.process.ChildProcess;
import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.patience.Patience;
import dev.neurontest.workload.ProgramNotStartedException;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a JVM at its limit of open files: the message advises to raise the limit, and blames no path. */
class OpenFileLimitIT {

    private static final String ADVICE =
            "This process has reached its limit of open files (ulimit -n). Raise the limit";

    @TempDir
    private Path root;

    @TempDir
    private Path folder;

    /** A JVM that leases a core and starts a program, at first with free descriptors and then without. */
    static final class FullProcess {

        private static final List<FileInputStream> OPEN = new ArrayList<>();

        private FullProcess() {}

        public static void main(String[] arguments) throws Exception {
            LeaseTable.Builder table = LeaseTable.builder(new HostFixture(Path.of(arguments[0])).host())
                    .directory(Path.of(arguments[1]));
            attempt(table);
            // The call loads the classes, which takes a descriptor for a folder of classes.
            OpenFileLimit.isReached(new IOException());
            new LeaseTableException("loaded", null);
            openAll();
            attempt(table);
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }

        private static void openAll() throws IOException {
            try {
                while (true) {
                    OPEN.add(new FileInputStream("/dev/null"));
                }
            } catch (FileNotFoundException full) {
                // The file stays open.
            }
        }

        private static void attempt(LeaseTable.Builder builder) throws Exception {
            try (LeaseTable table = builder.open()) {
                table.lease(new LeaseRequest("holder", List.of(CoreRequest.any())), Duration.ofSeconds(10))
                        .close();
                System.out.println("leased");
            } catch (LeaseException refused) {
                System.out.println(refused.getMessage());
            }
            try (ChildProcess child = ChildProcess.command(List.of("true")).start()) {
                child.await(null);
                System.out.println("started");
            } catch (ProgramNotStartedException refused) {
                System.out.println(refused.getMessage());
            }
        }
    }

    @Test
    void isNamedByFailuresOfLeasesAndPrograms() throws Exception {
        // given
        new HostFixture(root).devices(HostFixture.Kind.TRN1, 0);
        Path printed = folder.resolve("printed");

        // when
        List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -n 80; exec \"$@\"", "sh"));
        command.addAll(JvmCommand.program(
                FullProcess.class, root.toString(), folder.resolve("leases").toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        try {
            assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }

        // then
        List<String> lines = Files.readAllLines(printed);
        assertThat(lines).hasSize(4).startsWith("leased", "started");
        assertThat(lines.get(2)).contains("Too many open files", ADVICE).doesNotContain("local file system");
        assertThat(lines.get(3)).contains("Too many open files", ADVICE).doesNotContain("script");
    }
}
