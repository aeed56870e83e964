package dev.neurontest.internal.lease.store;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A user who owns the directory of a table. Immediately after JVMs create a file or directory there, the user replaces
 * it by one of another user. The program needs no other class, to be copied to a place that this user may read.
 */
public final class FolderOwner {

    private static final long HELD = 300_000;

    private FolderOwner() {}

    /** Runs until its input ends: {@code DIRECTORY NAME link|move TARGET}. */
    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        Path target = Path.of(arguments[3]);
        System.out.println("begun");
        int exchanges = 0;
        while (System.in.available() == 0) {
            if (exchange(directory, arguments[1], arguments[2].equals("link"), target)) {
                exchanges++;
            }
        }
        System.out.println(exchanges);
    }

    private static boolean exchange(Path directory, String name, boolean isLink, Path target) {
        Path made = directory.resolve(name);
        try {
            Files.move(made, directory.resolve("away-" + System.nanoTime()), StandardCopyOption.ATOMIC_MOVE);
            if (isLink) {
                Files.createSymbolicLink(made, target);
            } else {
                Files.move(target, made, StandardCopyOption.ATOMIC_MOVE);
            }
            long began = System.nanoTime();
            while (System.nanoTime() - began < HELD) {
                Thread.onSpinWait();
            }
            if (isLink) {
                Files.delete(made);
            } else {
                Files.move(made, target, StandardCopyOption.ATOMIC_MOVE);
            }
            return true;
        } catch (IOException gone) {
            if (!isLink && !Files.exists(target, LinkOption.NOFOLLOW_LINKS) && new File(made.toString()).exists()) {
                made.toFile().renameTo(target.toFile());
            }
            return false;
        }
    }
}
