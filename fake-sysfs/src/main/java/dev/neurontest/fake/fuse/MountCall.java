package dev.neurontest.fake.fuse;

import dev.neurontest.fake.fuse.protocol.LinuxErrno;
import java.io.IOException;
import java.nio.file.Path;

/** By {@code mount(2)}, which only root may. */
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
        if (errno == LinuxErrno.EPERM.number()) {
            return "Operation not permitted (no CAP_SYS_ADMIN)";
        }
        if (errno == LinuxErrno.EACCES.number()) {
            return "Permission denied";
        }
        if (errno == LinuxErrno.ENOENT.number()) {
            return "No such file or directory";
        }
        if (errno == LinuxErrno.ENODEV.number()) {
            return "No such device (the kernel has no FUSE)";
        }
        return "error " + errno;
    }

    @Override
    public void unmount(Path point) throws IOException {
        int detach = LinuxCalls.MNT_DETACH | LinuxCalls.UMOUNT_NOFOLLOW;
        // By force: a program that waits for an answer is not to wait any longer. In a namespace that may be forbidden.
        if (LinuxCalls.umount2(point.toString(), detach | LinuxCalls.MNT_FORCE) != 0
                && LinuxCalls.umount2(point.toString(), detach) != 0) {
            throw new IOException("umount2(2) of " + point + " is refused: " + text(LinuxCalls.errno()));
        }
    }
}
