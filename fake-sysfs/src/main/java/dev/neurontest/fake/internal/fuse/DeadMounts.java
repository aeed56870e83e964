package dev.neurontest.fake.internal.fuse;

import dev.neurontest.fake.internal.mounts.MountTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finder of dead mounts: mounts of this user and this program that are no longer served, because their JVM was killed. */
final class DeadMounts {

    private static final Path CONNECTIONS = Path.of("/sys/fs/fuse/connections");

    private DeadMounts() {}

    /** Unmounts all dead mounts and returns their paths. Failures are ignored. */
    static List<Path> clean(Mounting mounting) {
        List<Path> cleaned = new ArrayList<>();
        for (MountTable.Mount mount : find()) {
            try {
                abort(mount);
                mounting.unmount(Path.of(mount.point()));
                cleaned.add(Path.of(mount.point()));
            } catch (IOException e) {
                // Another JVM may have unmounted it already. A remaining mount does not prevent other mounts.
            }
        }
        return cleaned;
    }

    static List<MountTable.Mount> find() {
        try {
            return MountTable.read().stream().filter(DeadMounts::isDead).toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static boolean isDead(MountTable.Mount mount) {
        if (!mount.type().equals("fuse." + MountOwner.subtype())
                || !Arrays.asList(mount.options().split(",")).contains("user_id=" + LinuxCalls.geteuid())) {
            return false;
        }
        return MountOwner.of(mount.source())
                .map(owner -> switch (owner.state()) {
                    case ALIVE -> false;
                    case ENDING -> true;
                    // A process of another container is not visible in /proc, but its mount answers.
                    case GONE -> LinuxCalls.isDisconnected(mount.point());
                })
                .orElse(false);
    }

    /** Ends all waiting requests in the kernel. A killed process that waits for a request of its own mount cannot end otherwise. */
    private static void abort(MountTable.Mount mount) {
        String minor = mount.device().substring(mount.device().indexOf(':') + 1);
        try {
            Files.writeString(CONNECTIONS.resolve(minor).resolve("abort"), "1", StandardOpenOption.WRITE);
        } catch (IOException e) {
            // The mount is already disconnected, or the control file system is not mounted. There is nothing else to
            // do.
        }
    }
}
