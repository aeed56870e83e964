package dev.neurontest.fake.internal.fuse;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.fake.internal.mounts.MountTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.stream.Stream;

/** Assumptions on mounts on this machine. */
final class FuseFixture {

    private static final Path DEVICE = Path.of("/dev/fuse");
    private static final int CAP_SYS_ADMIN = 21;

    private FuseFixture() {}

    static void requireFuse() {
        assumeThat(System.getProperty("os.name")).as("FUSE is of Linux").isEqualTo("Linux");
        assumeThat(Files.isReadable(DEVICE) && Files.isWritable(DEVICE))
                .as(DEVICE + " is there and may be opened")
                .isTrue();
        boolean root = System.getProperty("user.name").equals("root");
        assumeThat(root ? mayMount() : program("fusermount3"))
                .as(root ? "CAP_SYS_ADMIN, which root may lack in a container" : "fusermount3 is installed")
                .isTrue();
    }

    /** Assumes that ordinary users can mount. */
    static void requireFuseForAll() {
        try {
            assumeThat(Files.getPosixFilePermissions(DEVICE))
                    .as(DEVICE + ", which every user is to read and write")
                    .contains(PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static boolean mayMount() {
        try (Stream<String> status = Files.lines(Path.of("/proc/self/status"))) {
            return status.filter(line -> line.startsWith("CapEff:"))
                    .map(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                    .anyMatch(capabilities -> (capabilities >> CAP_SYS_ADMIN & 1) != 0);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static void require(String... programs) {
        for (String program : programs) {
            assumeThat(program(program)).as(program + " is installed").isTrue();
        }
    }

    private static boolean program(String name) {
        return Stream.of("/usr/bin", "/bin", "/usr/sbin", "/sbin")
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }

    static List<MountTable.Mount> mounts() throws IOException {
        return MountTable.read().stream()
                .filter(mount -> mount.type().equals("fuse." + MountOwner.subtype()))
                .toList();
    }
}
