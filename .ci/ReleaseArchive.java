import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Checks the folder that a release was deployed to, and packs it as one archive: java .ci/ReleaseArchive.java REPOSITORY ARCHIVE TIME.
 * All entries have this time, such as 2026-11-21T00:00:00Z. Exit code 1: the release is incomplete, and each gap is named.
 */
final class ReleaseArchive {

    /** The elements that Maven Central requires of a POM. */
    private static final List<String> REQUIRED = List.of(
            "groupId",
            "artifactId",
            "version",
            "name",
            "description",
            "url",
            "licenses/license/name",
            "licenses/license/url",
            "developers/developer/name",
            "scm/connection",
            "scm/url");

    private static final List<String> COMPANIONS = List.of(".asc", ".md5", ".sha1");

    /** The ends of the names of the jars that belong to each jar. */
    private static final List<String> JARS = List.of(".jar", "-sources.jar", "-javadoc.jar");

    private final Path repository;
    private final Set<String> gaps = new TreeSet<>();

    private ReleaseArchive(Path repository) {
        this.repository = repository;
    }

    public static void main(String[] arguments) throws Exception {
        Path archive = Path.of(arguments[1]);
        ReleaseArchive release = new ReleaseArchive(Path.of(arguments[0]));
        Map<String, Path> files = release.files();
        release.check(files);
        if (!release.gaps.isEmpty()) {
            release.gaps.forEach(System.err::println);
            System.exit(1);
        }
        pack(files, archive, Instant.parse(arguments[2]));
        System.out.printf(
                Locale.ROOT,
                "%s: %d files, %,d bytes, SHA-256 %s%n",
                archive, files.size(), Files.size(archive), hash("SHA-256", archive));
    }

    /**
     * Returns the files to publish by their path in the repository. The metadata contain the time of the build, and each server writes its
     * own. The jar of fixtures is for the tests of this project.
     */
    private Map<String, Path> files() throws IOException {
        Map<String, Path> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(repository)) {
            all.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("maven-metadata"))
                    .filter(file -> !file.getFileName().toString().contains("-tests.jar"))
                    .forEach(file ->
                            files.put(repository.relativize(file).toString().replace('\\', '/'), file));
        }
        return files;
    }

    private void check(Map<String, Path> files) throws Exception {
        List<String> poms =
                files.keySet().stream().filter(name -> name.endsWith(".pom")).toList();
        if (poms.isEmpty()) {
            gaps.add(repository + " has no *.pom: run mvn -Prelease deploy first.");
        }
        for (String pom : poms) {
            checkPom(pom, files);
        }
        for (String name : files.keySet()) {
            if (COMPANIONS.stream().anyMatch(name::endsWith)) {
                continue;
            }
            for (String companion : COMPANIONS) {
                require(files, name + companion);
            }
            requireHash(files, name, "MD5", ".md5");
            requireHash(files, name, "SHA-1", ".sha1");
        }
    }

    private void checkPom(String pom, Map<String, Path> files) throws Exception {
        String text = Files.readString(files.get(pom));
        if (text.contains("${")) {
            gaps.add(pom + " contains a variable: " + text.substring(text.indexOf("${"), text.indexOf('}', text.indexOf("${")) + 1));
        }
        if (text.contains("-SNAPSHOT")) {
            gaps.add(pom + " names a snapshot.");
        }
        Element project = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(files.get(pom).toFile())
                .getDocumentElement();
        if (!find(project, "parent").isEmpty()) {
            gaps.add(pom + " has a parent, which is not published.");
        }
        for (String element : REQUIRED) {
            List<Element> found = find(project, element);
            if (found.isEmpty() || found.stream().anyMatch(one -> one.getTextContent().isBlank())) {
                gaps.add(pom + " has no " + element + ".");
            }
        }
        for (Element dependency : find(project, "dependencies/dependency")) {
            if (find(dependency, "version").isEmpty()) {
                gaps.add("%s names no version of %s.".formatted(pom, find(dependency, "artifactId").get(0).getTextContent()));
            }
        }
        String artifact = pom.substring(0, pom.length() - ".pom".length());
        require(files, artifact + "-cyclonedx.json");
        require(files, artifact + "-cyclonedx.xml");
        boolean jar = find(project, "packaging").stream().noneMatch(packaging -> packaging.getTextContent().equals("pom"));
        for (String end : jar ? JARS : List.<String>of()) {
            if (require(files, artifact + end)) {
                requireLicense(artifact + end, files.get(artifact + end));
            }
        }
    }

    private boolean require(Map<String, Path> files, String name) {
        if (!files.containsKey(name)) {
            gaps.add(name + " is missing.");
        }
        return files.containsKey(name);
    }

    private void requireHash(Map<String, Path> files, String name, String algorithm, String end) throws Exception {
        if (files.containsKey(name + end)
                && !Files.readString(files.get(name + end)).strip().equals(hash(algorithm, files.get(name)))) {
            gaps.add("%s%s is not the %s of %s.".formatted(name, end, algorithm, name));
        }
    }

    private void requireLicense(String name, Path jar) throws IOException {
        try (ZipFile content = new ZipFile(jar.toFile())) {
            if (content.getEntry("META-INF/LICENSE") == null || content.getEntry("META-INF/NOTICE") == null) {
                gaps.add(name + " has no META-INF/LICENSE or no META-INF/NOTICE.");
            }
        }
    }

    /** Returns the elements at a path of names below an element. */
    private static List<Element> find(Element from, String path) {
        List<Element> found = List.of(from);
        for (String name : path.split("/")) {
            List<Element> next = new ArrayList<>();
            for (Element element : found) {
                for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
                    if (node instanceof Element child && child.getTagName().equals(name)) {
                        next.add(child);
                    }
                }
            }
            found = next;
        }
        return found;
    }

    private static void pack(Map<String, Path> files, Path archive, Instant time) throws IOException {
        LocalDateTime local = LocalDateTime.ofInstant(time, ZoneOffset.UTC);
        try (OutputStream out = Files.newOutputStream(archive);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, Path> file : files.entrySet()) {
                ZipEntry entry = new ZipEntry(file.getKey());
                entry.setTimeLocal(local);
                zip.putNextEntry(entry);
                Files.copy(file.getValue(), zip);
                zip.closeEntry();
            }
        }
    }

    private static String hash(String algorithm, Path file) throws IOException, NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(Files.readAllBytes(file)));
    }
}
