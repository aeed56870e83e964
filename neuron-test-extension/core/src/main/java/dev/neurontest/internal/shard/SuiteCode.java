package dev.neurontest.internal.shard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apiguardian.api.API;

/**
 * A hash of the class files of the tests, to detect shards of different code. The discovered tests are not sufficient, because a
 * build tool might pass a single class to a JVM. The discoverable classes are the same in each JVM.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SuiteCode {

    private static final String CLASS = ".class";

    private SuiteCode() {}

    /**
     * Computes the hash of all classes of a folder or a jar: their names and contents.
     *
     * @param place a folder of class files, or a jar
     * @return 16 characters; {@code unknown} if it cannot be read
     */
    public static String of(Path place) {
        try {
            MessageDigest digest = Digest.sha256();
            for (Map.Entry<String, byte[]> each :
                    (Files.isDirectory(place) ? inFolder(place) : inJar(place)).entrySet()) {
                digest.update(each.getKey().getBytes(StandardCharsets.UTF_8));
                digest.update((byte) 0);
                digest.update(each.getValue());
            }
            return Digest.text(digest);
        } catch (IOException | UncheckedIOException unreadable) {
            return "unknown";
        }
    }

    private static Map<String, byte[]> inFolder(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(file -> file.toString().endsWith(CLASS) && Files.isRegularFile(file))
                    .toList();
        }
        Map<String, byte[]> classes = new TreeMap<>();
        for (Path file : files) {
            classes.put(
                    folder.relativize(file).toString().replace('\\', '/'),
                    Digest.sha256().digest(Files.readAllBytes(file)));
        }
        return classes;
    }

    /** Reads the checksums that the jar contains. */
    private static Map<String, byte[]> inJar(Path jar) throws IOException {
        Map<String, byte[]> classes = new TreeMap<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : zip.stream().map(ZipEntry.class::cast).toList()) {
                if (entry.getName().endsWith(CLASS)) {
                    classes.put(
                            entry.getName(), (entry.getCrc() + ":" + entry.getSize()).getBytes(StandardCharsets.UTF_8));
                }
            }
        }
        return classes;
    }
}
