package dev.neurontest.fake.internal.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apiguardian.api.API;

/** The stand-in for the Python module {@code nrtpy}: its copy in a host. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PythonModule {

    private static final String FOLDER = "opt/aws/neuron/python/nrtpy";
    private static final String RESOURCES = "python/nrtpy/";
    private static final List<String> FILES = List.of("__init__.py", "_libnrt.py");

    private PythonModule() {}

    /**
     * Copies the module into a host.
     *
     * @param root the root of the host
     * @throws IOException if it cannot be written
     */
    public static void install(Path root) throws IOException {
        Path folder = Files.createDirectories(root.resolve(FOLDER));
        for (String file : FILES) {
            try (InputStream source = PythonModule.class.getResourceAsStream(RESOURCES + file)) {
                if (source == null) {
                    throw new IOException(RESOURCES + file + " is missing from the package of " + PythonModule.class);
                }
                Files.copy(source, folder.resolve(file));
            }
        }
    }
}
