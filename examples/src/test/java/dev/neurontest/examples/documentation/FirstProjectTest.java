package dev.neurontest.examples.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
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
