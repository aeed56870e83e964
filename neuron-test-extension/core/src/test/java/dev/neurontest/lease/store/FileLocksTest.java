package dev.neurontest.lease.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileLocksTest {

    @TempDir
    Path proc;

    private FileLocks locks;

    private void locked(String... lines) throws IOException {
        Files.writeString(proc.resolve("locks"), String.join("\n", lines) + "\n");
        locks = new FileLocks(proc);
    }

    @Nested
    class Owners {

        @Test
        void haveTheFileLocked() throws Exception {
            // given
            Path file = Files.createFile(proc.resolve("file"));
            long inode = (long) Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS);
            locked(
                    "1: POSIX  ADVISORY  WRITE 11 08:01:" + inode + " 0 EOF",
                    "1: -> POSIX  ADVISORY  WRITE 12 08:01:" + inode + " 0 EOF",
                    "2: POSIX  ADVISORY  WRITE 13 08:01:" + (inode + 1) + " 0 EOF",
                    "3: FLOCK  ADVISORY  WRITE 14 08:01:" + inode + " 0 EOF",
                    "4: POSIX  ADVISORY  READ  15 08:01:" + inode + " 0 EOF",
                    "5: OFDLCK ADVISORY  WRITE -1 08:01:" + inode + " 0 EOF",
                    "");

            // then
            assertThat(locks.owners(file)).containsExactly(11L, 15L);
        }

        @Test
        void areUnknownWhereLocksAreNotShown() throws Exception {
            // given
            Path file = Files.createFile(proc.resolve("file"));

            // then
            assertThat(new FileLocks(proc).owners(file)).isEmpty();

            // when
            locked("1: POSIX  ADVISORY  WRITE ? 08:01:? 0 EOF");

            // then
            assertThat(locks.owners(file)).isEmpty();
        }
    }

    @Nested
    class OwnersOfRemoved {

        private void open(long pid, String target) throws IOException {
            Path descriptors = Files.createDirectories(proc.resolve(pid + "/fd"));
            Files.createSymbolicLink(descriptors.resolve("7"), Path.of(target));
        }

        @Test
        void haveAMembersFileOpenThatIsGone() throws Exception {
            // given
            open(11, "/tmp/leases/jvm-11-a0-1/alive (deleted)");
            open(12, "/tmp/leases/jvm-12-a0-1/alive");
            open(13, "/tmp/other/jvm-13-a0-1/alive (deleted)");
            open(14, "/tmp/leases/jvm-14-a0-1/bell (deleted)");
            open(15, "/tmp/leases/jvm-15-a0-1/alive (deleted)");
            locked(
                    "1: POSIX  ADVISORY  WRITE 11 08:01:1 0 EOF",
                    "2: POSIX  ADVISORY  WRITE 12 08:01:2 0 EOF",
                    "3: POSIX  ADVISORY  WRITE 13 08:01:3 0 EOF",
                    "4: POSIX  ADVISORY  WRITE 14 08:01:4 0 EOF",
                    "5: POSIX  ADVISORY  WRITE 99 08:01:5 0 EOF");

            // then the last one cannot be looked at, and the fifth has no lock
            assertThat(locks.ownersOfRemoved(Path.of("/tmp/leases"), Membership.ALIVE_FILE))
                    .containsExactly(11L);
        }
    }
}
