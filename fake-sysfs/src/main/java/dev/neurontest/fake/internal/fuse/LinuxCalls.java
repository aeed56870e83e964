package dev.neurontest.fake.internal.fuse;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import dev.neurontest.fake.Errno;
import org.jspecify.annotations.Nullable;

/** The functions of libc that the mount needs, on 64-bit Linux. */
final class LinuxCalls {

    static final int O_RDWR = 2;
    static final int O_CLOEXEC = 0x80000;
    static final int O_PATH = 0x200000;

    static final long MS_NOSUID = 2;
    static final long MS_NODEV = 4;
    static final long MS_NOEXEC = 8;

    static final int MNT_FORCE = 1;
    static final int MNT_DETACH = 2;
    static final int UMOUNT_NOFOLLOW = 8;

    static final int AF_UNIX = 1;
    static final int SOCK_STREAM = 1;
    static final int SOL_SOCKET = 1;
    static final int SCM_RIGHTS = 1;
    static final int MSG_CMSG_CLOEXEC = 0x40000000;

    /** Buffer size in bytes, larger than {@code struct statfs}. */
    private static final int STATFS_SIZE = 256;

    static {
        Jna.load();
        Native.register(LinuxCalls.class, NativeLibrary.getProcess());
    }

    private LinuxCalls() {}

    static int errno() {
        return Native.getLastError();
    }

    static native int geteuid();

    static native int getegid();

    static native int open(String path, int flags);

    static native int close(int fd);

    static native int dup3(int from, int to, int flags);

    static native long read(int fd, long buffer, long size);

    static native long write(int fd, long buffer, long size);

    private static native int fstatfs(int fd, long statistics);

    private static native int statfs(String path, long statistics);

    /** Requests the statistics of the file system of an open file, and ignores the answer. */
    static void requestStatistics(int fd) {
        try (Memory statistics = new Memory(STATFS_SIZE)) {
            fstatfs(fd, Pointer.nativeValue(statistics));
        }
    }

    /** Checks whether a mount is disconnected from its process. */
    static boolean isDisconnected(String point) {
        try (Memory statistics = new Memory(STATFS_SIZE)) {
            return statfs(point, Pointer.nativeValue(statistics)) != 0 && errno() == Errno.ENOTCONN.number();
        }
    }

    static native int mount(String source, String target, String type, long flags, @Nullable String options);

    static native int umount2(String target, int flags);

    static native int socketpair(int domain, int type, int protocol, int[] descriptors);

    static native int pipe2(int[] descriptors, int flags);

    static native long recvmsg(int fd, long message, int flags);

    static native int posix_spawn_file_actions_init(long actions);

    static native int posix_spawn_file_actions_adddup2(long actions, int from, int to);

    static native int posix_spawn_file_actions_addclose(long actions, int fd);

    static native int posix_spawn_file_actions_destroy(long actions);

    static native int posix_spawn(
            long pid, String program, long actions, long attributes, long arguments, long environment);

    static native int waitpid(int pid, int[] status, int options);
}
