package dev.neurontest.examples.documentation;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Tests that what users get on their class path is small, and that CONTRIBUTING.md lists each dependency with its size. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DependenciesIT {

    private static final Path BUILD = Repository.ROOT.resolve("pom.xml");

    private static final double MEBIBYTE = 1024 * 1024;

    /** A library in the tree of dependencies, also one that the tree shows in another place. */
    private static final Pattern ARTIFACT = Pattern.compile("([\\w.-]+):jar:");

    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]+) \\|(?:[^|]+\\|){3} ([^|]+) \\|$");
    private static final Pattern NAME = Pattern.compile("`([\\w.-]+)`");
    private static final Pattern SIZE = Pattern.compile("(?:(\\d+) jars, )?([\\d,]+) KiB");

    private final Map<String, Set<String>> tree = new HashMap<>();
    private final Map<String, String> sizes = new TreeMap<>();
    private String section = "";
    private Map<String, Path> jars = Map.of();

    @BeforeAll
    void read() throws IOException {
        for (String line : Files.readAllLines(Path.of("target/dependencies.dot"))) {
            List<String> names =
                    ARTIFACT.matcher(line).results().map(name -> name.group(1)).toList();
            if (names.size() == 2) {
                tree.computeIfAbsent(names.get(0), name -> new TreeSet<>()).add(names.get(1));
            }
        }
        jars = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::isRegularFile)
                .collect(toMap(
                        jar -> jar.getFileName().toString().replaceFirst("-\\d.*", ""),
                        jar -> jar,
                        (one, other) -> one));
        section = Files.readString(Repository.ROOT.resolve("CONTRIBUTING.md"))
                .replaceFirst("(?s).*\n## Dependencies\n", "")
                .replaceFirst("(?s)\n## .*", "");
        ROW.matcher(section)
                .results()
                .forEach(row -> NAME.matcher(row.group(1))
                        .results()
                        .forEach(name -> sizes.putIfAbsent(name.group(1), row.group(2))));
    }

    @ParameterizedTest
    @CsvSource({
        "neuron-test-extension, 5.5",
        "neuron-test-extension fake-sysfs, 6.5",
        "neuron-test-extension fake-sysfs neuron-test-command, 8.0"
    })
    void jarsBringLittle(String names, double mostMebibytes) {
        Set<String> brought = brought(names.split(" "));
        Matcher row = Pattern.compile("\\| `" + names.replace(" ", "`, `") + "` \\| (\\d+) \\| ([\\d.]+) MiB \\|")
                .matcher(section);

        assertThat(brought).hasSizeLessThanOrEqualTo(24);
        assertThat(bytes(brought) / MEBIBYTE).isLessThan(mostMebibytes);
        assertThat(row.find()).as("CONTRIBUTING.md has the size of this").isTrue();
        assertThat(brought).hasSize(Integer.parseInt(row.group(1)));
        assertThat(bytes(brought) / MEBIBYTE).isCloseTo(Double.parseDouble(row.group(2)), withPercentage(10));
    }

    @Test
    void tableHasEachDependencyAndPlugin() throws Exception {
        Set<String> used = new TreeSet<>();
        collect(BUILD, used);

        assertThat(sizes.keySet()).containsExactlyElementsOf(used);
    }

    @Test
    void tableHasTheSizeOfWhatUsersGet() {
        Set<String> brought = brought("neuron-test-extension", "fake-sysfs", "neuron-test-command");

        assertThat(sizes.keySet()).filteredOn(brought::contains).hasSizeGreaterThan(5);
        sizes.forEach((name, size) -> {
            if (brought.contains(name)) {
                Set<String> needed = reachable(name);
                Matcher cell = SIZE.matcher(size);
                assertThat(cell.lookingAt()).as("%s has a size: %s", name, size).isTrue();
                assertThat(cell.group(1) == null ? "1" : cell.group(1))
                        .as("jars of %s", name)
                        .isEqualTo(String.valueOf(needed.size()));
                assertThat(bytes(needed) / 1024.0)
                        .as("KiB of %s", name)
                        .isCloseTo(Double.parseDouble(cell.group(2).replace(",", "")), withPercentage(10));
            } else {
                assertThat(size).as("size of %s, which users do not get", name).startsWith("none");
            }
        });
    }

    /** Returns the jars that users get with these, without those of JUnit and AssertJ, which they have anyway. */
    private Set<String> brought(String... names) {
        Set<String> brought = reachable(names);
        brought.removeAll(reachable("junit-jupiter", "assertj-core"));
        return brought;
    }

    private Set<String> reachable(String... names) {
        Set<String> reached = new TreeSet<>();
        for (String name : names) {
            reached.add(name);
            tree.getOrDefault(name, Set.of()).forEach(needed -> reached.addAll(reachable(needed)));
        }
        return reached;
    }

    private long bytes(Set<String> names) {
        assertThat(jars).containsKeys(names.toArray(String[]::new));
        return names.stream()
                .mapToLong(name -> jars.get(name).toFile().length())
                .sum();
    }

    /** Adds what the modules of this build name: dependencies, plugins, and artifacts that plugins copy. */
    private static void collect(Path pom, Set<String> names) throws Exception {
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
        for (String element : List.of("dependency", "plugin", "extension", "path", "artifactItem")) {
            for (int i = 0; i < document.getElementsByTagName(element).getLength(); i++) {
                Element artifact =
                        (Element) document.getElementsByTagName(element).item(i);
                if (!text(artifact, "groupId").equals("dev.neurontest")) {
                    names.add(text(artifact, "artifactId"));
                }
            }
        }
        Element modules = (Element) document.getElementsByTagName("modules").item(0);
        for (int i = 0;
                modules != null && i < modules.getElementsByTagName("module").getLength();
                i++) {
            String module = modules.getElementsByTagName("module").item(i).getTextContent();
            collect(pom.resolveSibling(module).resolve("pom.xml"), names);
        }
    }

    private static String text(Element element, String child) {
        Node found = element.getElementsByTagName(child).item(0);
        return found == null ? "" : found.getTextContent();
    }
}
