import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/**
 * Checks the licenses of the dependencies of the jars, in the bills of materials that -Prelease wrote: java .ci/Licenses.java [FOLDER].
 * If an artifact has several licenses, one of them must be in the list.
 */
final class Licenses {

    /** SPDX identifiers, and names in POMs without an SPDX identifier. */
    private static final Set<String> ALLOWED = Set.of(
            "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "MIT", "EPL-1.0", "EPL-2.0", "The (New) BSD License");

    /** The modules that are published. */
    private static final List<String> MODULES = List.of(
            "fake-sysfs",
            "neuron-test-extension/core",
            "neuron-test-extension/junit",
            "neuron-test-extension/command",
            "neuron-test-extension/maven-plugin");

    private Licenses() {}

    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments.length == 0 ? "" : arguments[0]);
        Set<String> refused = new TreeSet<>();
        Set<String> checked = new TreeSet<>();
        for (String module : MODULES) {
            Path target = root.resolve(module).resolve("target");
            Element bill = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(target.resolve("bom.xml").toFile())
                    .getDocumentElement();
            List<Element> components = children(bill, "components").stream()
                    .flatMap(all -> children(all, "component").stream())
                    .toList();
            for (Element component : components) {
                if (text(component, "group").equals("dev.neurontest")) {
                    continue;
                }
                String name = text(component, "group") + ":" + text(component, "name") + ":" + text(component, "version");
                List<String> licenses = licenses(component);
                checked.add(name);
                if (licenses.stream().noneMatch(ALLOWED::contains)) {
                    refused.add(name + " has " + (licenses.isEmpty() ? "no license" : String.join(", ", licenses)));
                }
            }
        }
        if (checked.isEmpty()) {
            refused.add("The bills of materials name no dependency.");
        }
        if (!refused.isEmpty()) {
            refused.forEach(System.err::println);
            System.err.println("Expected one of " + new TreeSet<>(ALLOWED)
                    + ". Replace the dependency, or add its license to .ci/Licenses.java.");
            System.exit(1);
        }
        System.out.println("The licenses of " + checked.size() + " dependencies are in the list.");
    }

    private static List<String> licenses(Element component) {
        List<String> licenses = new ArrayList<>();
        for (Element group : children(component, "licenses")) {
            children(group, "expression").forEach(each -> licenses.add(each.getTextContent()));
            for (Element license : children(group, "license")) {
                licenses.add(text(license, "id").isEmpty() ? text(license, "name") : text(license, "id"));
            }
        }
        return licenses;
    }

    private static String text(Element of, String name) {
        return children(of, name).stream().map(Element::getTextContent).findFirst().orElse("");
    }

    private static List<Element> children(Element of, String name) {
        List<Element> children = new ArrayList<>();
        for (var next = of.getFirstChild(); next != null; next = next.getNextSibling()) {
            if (next instanceof Element element && element.getTagName().equals(name)) {
                children.add(element);
            }
        }
        return children;
    }
}
