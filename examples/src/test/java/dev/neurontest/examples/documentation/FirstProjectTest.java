package dev.neurontest.examples.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Tests that the project for newcomers has the versions of this build, in Maven and in Gradle. */
class FirstProjectTest {

    private static final Path PROJECT = Repository.ROOT.resolve("examples/first-test");

    @Test
    void hasTheVersionsOfThisBuild() throws Exception {
        Document build = parse(Repository.ROOT.resolve("pom.xml"));
        Map<String, String> wanted = Map.of(
                "neuron-test-extension", text(build.getDocumentElement(), "version"),
                "fake-sysfs", text(build.getDocumentElement(), "version"),
                "neuron-test-maven-plugin", text(build.getDocumentElement(), "version"),
                "junit-jupiter",
                        build.getElementsByTagName("junit6.version").item(0).getTextContent(),
                "assertj-core",
                        build.getElementsByTagName("assertj.version").item(0).getTextContent(),
                "maven-compiler-plugin", versions(build, "plugin").get("maven-compiler-plugin"),
                "maven-surefire-plugin", versions(build, "plugin").get("maven-surefire-plugin"));

        Document pom = parse(PROJECT.resolve("pom.xml"));
        Map<String, String> found = versions(pom, "dependency");
        found.putAll(versions(pom, "plugin"));

        assertThat(found).isEqualTo(new TreeMap<>(wanted));
        assertThat(pom.getElementsByTagName("maven.compiler.release").item(0).getTextContent())
                .isEqualTo(build.getElementsByTagName("maven.compiler.release")
                        .item(0)
                        .getTextContent());
    }

    @Test
    void hasTheSameDependenciesInGradle() throws Exception {
        Map<String, String> found = new TreeMap<>();
        Matcher dependency = Pattern.compile("test(?:Implementation|RuntimeOnly)\\(\"[^:]+:([^:]+):([^\"]+)\"\\)")
                .matcher(Files.readString(PROJECT.resolve("build.gradle.kts")));
        while (dependency.find()) {
            found.put(dependency.group(1), dependency.group(2));
        }

        assertThat(found.remove("junit-platform-launcher")).isEqualTo(found.get("junit-jupiter"));
        assertThat(found).isEqualTo(versions(parse(PROJECT.resolve("pom.xml")), "dependency"));
    }

    @Test
    void pagesNameTheVersionsOfTheKotlinExample() throws Exception {
        Document pom = parse(Repository.ROOT.resolve("examples/frameworks/kotlin/pom.xml"));
        String kotlin = pom.getElementsByTagName("kotlin.version").item(0).getTextContent();
        String junit = pom.getElementsByTagName("junit.version").item(0).getTextContent();

        assertThat(junit)
                .isEqualTo(versions(parse(PROJECT.resolve("pom.xml")), "dependency")
                        .get("junit-jupiter"));
        assertThat(Files.readString(Repository.ROOT.resolve("docs/quickstart.md")))
                .contains("kotlin(\"jvm\") version \"" + kotlin + "\"");
        assertThat(Files.readString(Repository.ROOT.resolve("docs/other-frameworks.md")))
                .contains("| Kotlin | %s, JUnit %s |".formatted(kotlin, junit));
    }

    /** The check compares only the plugins of this build with newer versions. */
    @Test
    void otherProjectsHaveThePluginsOfThisBuild() throws Exception {
        Map<String, String> newest = versions(parse(Repository.ROOT.resolve("pom.xml")), "plugin");
        Map<String, String> older = new TreeMap<>();
        for (String project : List.of(
                "ci/gate.pom.xml",
                "frameworks/companions/pom.xml",
                "frameworks/kotlin/pom.xml",
                "frameworks/quarkus/pom.xml")) {
            versions(parse(Repository.ROOT.resolve("examples").resolve(project)), "plugin")
                    .forEach((plugin, version) -> {
                        if (newest.containsKey(plugin)
                                && Version.parse(version).compareTo(Version.parse(newest.get(plugin))) < 0) {
                            older.put(project + " " + plugin, version);
                        }
                    });
        }

        assertThat(older).isEmpty();
    }

    @Test
    void pageNamesTheVersionsOfTheFrameworks() throws Exception {
        Path frameworks = Repository.ROOT.resolve("examples/frameworks");

        assertThat(Files.readString(Repository.ROOT.resolve("docs/other-frameworks.md")))
                .contains("| Spring Boot 3.5 | %s,"
                        .formatted(versions(parse(frameworks.resolve("spring-boot-3/pom.xml")), "parent")
                                .get("spring-boot-starter-parent")))
                .contains("| Spring Boot 4 | %s "
                        .formatted(versions(parse(frameworks.resolve("spring-boot-4/pom.xml")), "parent")
                                .get("spring-boot-starter-parent")))
                .contains("| Mockito | %s |"
                        .formatted(versions(parse(frameworks.resolve("companions/pom.xml")), "dependency")
                                .get("mockito-junit-jupiter")))
                .contains("| Quarkus | %s "
                        .formatted(parse(frameworks.resolve("quarkus/pom.xml"))
                                .getElementsByTagName("quarkus.version")
                                .item(0)
                                .getTextContent()));
    }

    private static Document parse(Path file) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    }

    private static Map<String, String> versions(Document pom, String element) {
        Map<String, String> versions = new TreeMap<>();
        for (int i = 0; i < pom.getElementsByTagName(element).getLength(); i++) {
            Element one = (Element) pom.getElementsByTagName(element).item(i);
            versions.putIfAbsent(text(one, "artifactId"), text(one, "version"));
        }
        return versions;
    }

    private static String text(Element parent, String child) {
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node.getNodeName().equals(child)) {
                return node.getTextContent();
            }
        }
        return "";
    }
}
