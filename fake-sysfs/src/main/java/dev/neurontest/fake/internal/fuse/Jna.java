package dev.neurontest.fake.internal.fuse;

import dev.neurontest.fake.internal.folder.PrivateFolder;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Loading of JNA, which would otherwise unpack its native library into the home directory. The test extension has its own class for
 * that, because neither module depends on the other.
 */
final class Jna {

    private static final String FOLDER = "jna.tmpdir";

    private static boolean loaded;

    private Jna() {}

    /** Loads JNA from a temporary folder, unless the user has chosen another folder. JNA deletes its library after loading it. */
    static synchronized void load() {
        if (loaded || System.getProperty(FOLDER) != null) {
            return;
        }
        try {
            PrivateFolder folder = PrivateFolder.make(Path.of(System.getProperty("java.io.tmpdir")));
            try {
                folder.requireExecutable();
                System.setProperty(FOLDER, folder.path().toString());
                Class.forName("com.sun.jna.Native");
                loaded = true;
            } finally {
                System.clearProperty(FOLDER);
                folder.delete();
            }
        } catch (IOException | ClassNotFoundException e) {
            throw new UnsatisfiedLinkError(e.getMessage());
        }
    }
}
