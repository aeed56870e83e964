package dev.neurontest.internal.runtime.library;

import dev.neurontest.internal.folder.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apiguardian.api.API;

/** Loader of JNA. The library is optional, and would otherwise unpack its native library into the home directory. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Jna {

    /** Maven coordinates of the library that users add to their build. */
    public static final String ARTIFACT = "net.java.dev.jna:jna:5.19.1";

    private static final String FOLDER = "jna.tmpdir";

    private static boolean loaded;

    private Jna() {}

    /**
     * Loads JNA from a temporary folder, unless the user has configured another one. JNA deletes its library after loading.
     *
     * @throws UncheckedIOException when JNA is missing, or the temporary folder cannot be used
     */
    public static synchronized void load() {
        if (loaded || System.getProperty(FOLDER) != null) {
            return;
        }
        try (TemporaryFolder folder = TemporaryFolder.make()) {
            folder.requireExecutable();
            System.setProperty(FOLDER, folder.path().toString());
            Class.forName("com.sun.jna.Native");
            loaded = true;
        } catch (IOException e) {
            throw new UncheckedIOException("JNA cannot be loaded: " + e.getMessage(), e);
        } catch (ClassNotFoundException absent) {
            throw new UncheckedIOException(
                    "JNA, which calls the runtime, is not on the class path. Add %s to the dependencies of the tests."
                            .formatted(ARTIFACT),
                    new IOException(absent));
        } finally {
            System.clearProperty(FOLDER);
        }
    }
}
