package dev.neurontest.fake.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The stand-in of the runtime library, as the build has made it, and its copy in a host. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LibraryFile {

    private static final String FOLDER = "opt/aws/neuron/lib";
    private static final String LINK = "libnrt.so";
    private static final String SONAME = "libnrt.so.1";

    private LibraryFile() {}

    /**
     * Why there is no library.
     *
     * @return the reason; empty when there is one
     */
    public static Optional<String> unavailable() {
        String system = System.getProperty("os.name", "");
        if (!system.equals("Linux")) {
            return Optional.of("the stand-in libnrt needs Linux, this is " + system);
        }
        if (LibraryFile.class.getResource(resource(true)) == null) {
            return Optional.of("the stand-in libnrt was not built for " + machine()
                    + ": the build of fake-sysfs found no gcc there (it says so); install gcc and build again");
        }
        return Optional.empty();
    }

    /**
     * The machine that native files are built for.
     *
     * @return as {@code uname -m} names it
     */
    public static String machine() {
        String architecture = System.getProperty("os.arch", "");
        return architecture.equals("amd64") ? "x86_64" : architecture;
    }

    private static String resource(boolean debugStream) {
        return "libnrt-" + machine() + (debugStream ? "" : "-without-debug-stream") + ".so.1";
    }

    /**
     * Puts it into a host under the names that the genuine package has. Every host has a file of its own, so that each is a library
     * of its own in a process. Does nothing where there is no library.
     *
     * @param root the root of the host
     * @param version four numbers, with which the library takes its own version from the name of its file
     * @param debugStream whether it has the calls of the debug stream
     * @throws IOException when it cannot be written
     */
    public static void install(Path root, String version, boolean debugStream) throws IOException {
        Path folder = root.resolve(FOLDER);
        if (unavailable().isPresent()) {
            return;
        }
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(folder + " is not there any more");
        }
        String file = LINK + "." + version;
        Path copy = Files.createTempFile(folder, ".libnrt", "");
        try (InputStream library = LibraryFile.class.getResourceAsStream(resource(debugStream))) {
            if (library == null) {
                throw new IOException(resource(debugStream) + " is missing beside " + LibraryFile.class.getName());
            }
            Files.copy(library, copy, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.move(copy, folder.resolve(file), StandardCopyOption.ATOMIC_MOVE);
        link(folder, SONAME, file);
        link(folder, LINK, SONAME);
        deleteOthers(folder, file);
    }

    private static void link(Path folder, String name, String target) throws IOException {
        Path link = folder.resolve("." + name + ".new");
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, Path.of(target));
        Files.move(link, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private static void deleteOthers(Path folder, String file) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            for (Path each : all.toList()) {
                String name = each.getFileName().toString();
                if (name.startsWith(LINK + ".") && !name.equals(SONAME) && !name.equals(file)) {
                    Files.delete(each);
                }
            }
        }
    }
}
