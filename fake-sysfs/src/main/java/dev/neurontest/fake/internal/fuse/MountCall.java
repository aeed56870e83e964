package dev.neurontest.fake.internal.fuse;

import dev.neurontest.fake.Errno;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Mounting by {@code mount(2)}, which only root can call. */
final class MountCall implements Mounting {

    private static final String DEVICE = "/dev/fuse";

    @Override
    public int mount(Path point, MountOwner owner) throws FuseUnavailableException {
        int fd = LinuxCalls.open(DEVICE, LinuxCalls.O_RDWR | LinuxCalls.O_CLOEXEC);
        if (fd < 0) {
            throw refused(DEVICE + " cannot be opened");
        }
        String options = "fd=" + fd + ",rootmode=40000,user_id=" + LinuxCalls.geteuid() + ",group_id="
                + LinuxCalls.getegid() + ",default_permissions,allow_other";
        int result = LinuxCalls.mount(
                owner.source(),
                point.toString(),
                "fuse." + MountOwner.subtype(),
                LinuxCalls.MS_NOSUID | LinuxCalls.MS_NODEV | LinuxCalls.MS_NOEXEC,
                options);
        if (result != 0) {
            FuseUnavailableException refused = refused("mount(2) at " + point + " is refused");
            LinuxCalls.close(fd);
            throw refused;
        }
        return fd;
    }

    private static FuseUnavailableException refused(String what) {
        return new FuseUnavailableException(what + ": " + text(LinuxCalls.errno()));
    }

    private static String text(int errno) {
        String text = Stream.of(Errno.values())
                .filter(each -> each.number() == errno)
                .map(Errno::text)
                .findFirst()
                .orElse("error " + errno);
        return errno == Errno.EPERM.number()
                ? text + " (no CAP_SYS_ADMIN)"
                : errno == Errno.ENODEV.number() ? text + " (the kernel has no FUSE)" : text;
    }

    @Override
    public void unmount(Path point) throws IOException {
        int detach = LinuxCalls.MNT_DETACH | LinuxCalls.UMOUNT_NOFOLLOW;
        // Forced, to end programs that wait for an answer. In a namespace that may be forbidden.
        if (LinuxCalls.umount2(point.toString(), detach | LinuxCalls.MNT_FORCE) != 0
                && LinuxCalls.umount2(point.toString(), detach) != 0) {
            throw new IOException("umount2(2) of " + point + " is refused: " + text(LinuxCalls.errno()));
        }
    }
}
