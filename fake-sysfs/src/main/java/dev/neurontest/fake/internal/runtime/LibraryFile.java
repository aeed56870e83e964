package dev.neurontest.fake.internal.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The stand-in for the runtime library: the file from the build, and its copy in a host. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LibraryFile {

    private static final String FOLDER = "opt/aws/neuron/lib";
    private static final String LINK = "libnrt.so";
    private static final String SONAME = "libnrt.so.1";
    private static final Pattern VERSION = Pattern.compile("2\\.([0-9]{1,3})\\.[0-9]{1,5}\\.[0-9]{1,5}");

    /** The releases that changed the set of exported calls, newest first. Each has its own file. */
    private static final int[] EXPORTS = {34, 29, 28};

    /** The oldest release that can be imitated. */
    public static final int OLDEST = EXPORTS[EXPORTS.length - 1];

    /** Explanation of a missing native file. */
    public static final String NOT_BUILT =
            ": fake-sysfs has only the files for the kind of machine that built it, and none if that had no gcc. Build it from its sources on this machine, with gcc";

    private LibraryFile() {}

    /**
     * Returns the reason why there is no library.
     *
     * @return the reason; empty if there is a library
     */
    public static Optional<String> unavailable() {
        String system = System.getProperty("os.name", "");
        if (!system.equals("Linux")) {
            return Optional.of("the stand-in libnrt requires Linux, but this is " + system);
        }
        if (LibraryFile.class.getResource(resource(EXPORTS[0])) == null) {
            return Optional.of("the stand-in libnrt was not built for " + machine() + NOT_BUILT);
        }
        return Optional.empty();
    }

    /** Returns the machine type for native files, as {@code uname -m} prints it. */
    public static String machine() {
        String architecture = System.getProperty("os.arch", "");
        return architecture.equals("amd64") ? "x86_64" : architecture;
    }

    /**
     * Checks the version of a library.
     *
     * @param version version such as {@code 2.31.24.0}
     * @return its second number
     * @throws IllegalArgumentException if it does not consist of four numbers with 2 as the first, or is older than the oldest
     *     supported version
     */
    public static int release(String version) {
        Matcher numbers = VERSION.matcher(version);
        int release = numbers.matches() ? Integer.parseInt(numbers.group(1)) : -1;
        if (release < OLDEST) {
            throw new IllegalArgumentException(
                    "\"" + version + "\" is not a version of the runtime that can be imitated: use"
                            + " four numbers, from 2." + OLDEST + ".0.0 on");
        }
        return release;
    }

    private static String resource(int release) {
        int exports = Arrays.stream(EXPORTS)
                .filter(since -> since <= release)
                .findFirst()
                .orElseThrow();
        return "libnrt-" + machine() + "-since-2." + exports + ".so.1";
    }

    /**
     * Copies the library into a host, under the names of the genuine package. Every host has its own file; therefore each is a
     * separate library in a process. It does nothing if there is no library.
     *
     * @param root the root of the host
     * @param version four numbers, which determine the exported calls; the library reads its own version from its file name
     * @throws IOException if it cannot be written
     */
    public static void install(Path root, String version) throws IOException {
        Path folder = root.resolve(FOLDER);
        if (unavailable().isPresent()) {
            return;
        }
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(folder + " no longer exists");
        }
        String file = LINK + "." + version;
        Path copy = Files.createTempFile(folder, ".libnrt", "");
        try (InputStream library = LibraryFile.class.getResourceAsStream(resource(release(version)))) {
            if (library == null) {
                throw new IOException(
                        resource(release(version)) + " is missing from the package of " + LibraryFile.class.getName());
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
