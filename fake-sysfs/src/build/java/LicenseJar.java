import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Writes a jar with the license and notice of this project, and those of each artifact on a class path. The shade plugin adds it to a
 * runnable jar. Run by the build: {@code java LicenseJar.java <jar> <license of this project> <folder of texts> <class path>}. It fails
 * where an artifact has no license in its jar, and the folder has none of it. {@code @DEVELOPER@} in a text of the folder is the name in
 * the artifact's POM.
 */
final class LicenseJar {

    private static final Pattern LEGAL = Pattern.compile(
            "(?:META-INF/)?([^/]*(?:LICEN[CS]E|NOTICE|COPYRIGHT|COPYING|AL2\\.0|LGPL2\\.1)[^/]*)(?<!\\.class)");
    private static final Pattern JAR = Pattern.compile("(.+?)-[0-9][^/]*\\.jar");
    private static final Pattern DEVELOPER = Pattern.compile("<developer>.*?<name>([^<]+)</name>", Pattern.DOTALL);
    private static final String PLACE_OF_DEVELOPER = "@DEVELOPER@";
    private static final String OWN = "META-INF/maven/dev.neurontest/";
    private static final LocalDateTime TIME = LocalDateTime.of(2026, 11, 21, 0, 0);

    private final Path license;
    private final Path folder;
    private final List<String> apache;
    private final Map<String, byte[]> entries = new TreeMap<>();

    private LicenseJar(Path license, Path folder) throws IOException {
        this.license = license;
        this.folder = folder;
        this.apache = Files.readAllLines(folder.resolve("apache-2.0.txt"));
    }

    public static void main(String[] arguments) throws IOException {
        LicenseJar jar = new LicenseJar(Path.of(arguments[1]), Path.of(arguments[2]));
        jar.entries.put("META-INF/LICENSE", Files.readAllBytes(jar.license));
        jar.entries.put("META-INF/NOTICE", Files.readAllBytes(jar.folder.resolve("NOTICE")));
        for (String each : arguments[3].split(File.pathSeparator)) {
            if (each.endsWith(".jar")) {
                jar.add(Path.of(each));
            }
        }
        jar.write(Path.of(arguments[0]));
    }

    private void add(Path artifact) throws IOException {
        String name = JAR.matcher(artifact.getFileName().toString()).replaceFirst("$1");
        String target = "META-INF/licenses/" + name + "/";
        int before = entries.size();
        String developer = "";
        try (ZipFile jar = new ZipFile(artifact.toFile())) {
            if (jar.stream().anyMatch(entry -> entry.getName().startsWith(OWN))) {
                return;
            }
            for (ZipEntry entry : jar.stream().map(ZipEntry.class::cast).toList()) {
                if (entry.getName().endsWith("/pom.xml")) {
                    try (InputStream pom = jar.getInputStream(entry)) {
                        developer = DEVELOPER
                                .matcher(new String(pom.readAllBytes(), StandardCharsets.UTF_8))
                                .results()
                                .map(found -> found.group(1))
                                .findFirst()
                                .orElse("");
                    }
                }
                var legal = LEGAL.matcher(entry.getName());
                if (legal.matches()) {
                    try (InputStream text = jar.getInputStream(entry)) {
                        entries.put(target + legal.group(1), text.readAllBytes());
                    }
                }
            }
        }
        if (Files.isDirectory(folder.resolve(name))) {
            try (Stream<Path> texts = Files.list(folder.resolve(name))) {
                for (Path text : (Iterable<Path>) texts::iterator) {
                    String content = Files.readString(text);
                    if (content.contains(PLACE_OF_DEVELOPER) && developer.isEmpty()) {
                        System.err.println(
                                artifact + " has no POM with the name of a developer, which " + text + " needs.");
                        System.exit(1);
                    }
                    entries.put(
                            target + text.getFileName(),
                            content.replace(PLACE_OF_DEVELOPER, developer).getBytes(StandardCharsets.UTF_8));
                }
            }
        } else if (apache.contains(name)) {
            entries.put(target + "LICENSE", Files.readAllBytes(license));
        }
        if (entries.size() == before) {
            System.err.println(artifact + " has no license. Put its text into " + folder.resolve(name)
                    + ", or its name into apache-2.0.txt there.");
            System.exit(1);
        }
    }

    private void write(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        try (ZipOutputStream jar = new ZipOutputStream(Files.newOutputStream(file))) {
            for (Map.Entry<String, byte[]> each : entries.entrySet()) {
                ZipEntry entry = new ZipEntry(each.getKey());
                entry.setTimeLocal(TIME);
                jar.putNextEntry(entry);
                jar.write(each.getValue());
                jar.closeEntry();
            }
        }
    }
}
