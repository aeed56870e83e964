package dev.neurontest.fake;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.provider.Arguments;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The facts about real machines in the form of their collection. */
final class FactsFixture {

    private static final JsonNode LAYOUTS = read("layouts.json");
    private static final JsonNode INSTANCES = read("instances.json");

    private FactsFixture() {}

    private static JsonNode read(String name) {
        return JsonMapper.shared().readTree(FactsFixture.class.getResourceAsStream(name));
    }

    /** The facts about one file below {@code neuronN}. */
    record FactFile(String kind, int mode, String format, String write, String notified, boolean documented) {}

    /** Returns the layouts of drivers and documents, followed by the invented ones. */
    static List<String> everyLayoutName() {
        return Stream.concat(layoutNames().stream(), inventedLayoutNames().stream())
                .toList();
    }

    static List<String> layoutNames() {
        return namesOfLayouts(false);
    }

    static List<String> inventedLayoutNames() {
        return namesOfLayouts(true);
    }

    private static List<String> namesOfLayouts(boolean invented) {
        return Stream.of("layouts", "additionalLayouts")
                .flatMap(group -> LAYOUTS.get(group).propertyStream())
                .filter(layout -> layout.getValue().has("invented") == invented)
                .map(Map.Entry::getKey)
                .toList();
    }

    static JsonNode layout(String name) {
        JsonNode layout = LAYOUTS.get("layouts").get(name);
        return layout != null ? layout : LAYOUTS.get("additionalLayouts").get(name);
    }

    static List<JsonNode> instances() {
        return StreamSupport.stream(INSTANCES.spliterator(), false).toList();
    }

    static JsonNode instance(String name) {
        return instances().stream()
                .filter(instance -> text(instance, "instanceType").equals(name))
                .findFirst()
                .orElseThrow();
    }

    static List<JsonNode> nrtStatus() {
        return StreamSupport.stream(LAYOUTS.get("nrtStatus").spliterator(), false)
                .toList();
    }

    static String text(JsonNode node, String property) {
        return node.get(property).asString();
    }

    static List<String> texts(JsonNode node, String property) {
        return StreamSupport.stream(node.get(property).spliterator(), false)
                .map(JsonNode::asString)
                .toList();
    }

    /**
     * Returns every layout with every instance type that can have it and has a different tree, and invented layouts with the
     * smaller ones.
     */
    static Stream<Arguments> everyTree() {
        List<String> invented = inventedLayoutNames();
        return Stream.concat(
                hosts(layoutNames(), instance -> instance.get("sameTreeAs").isNull()),
                everySmallTree().filter(host -> invented.contains((String) host.get()[0])));
    }

    /** Returns the trees without those of the largest instance types, which have more of the same files. */
    static Stream<Arguments> everySmallTree() {
        return hosts(
                everyLayoutName(),
                instance -> instance.get("sameTreeAs").isNull()
                        && instance.get("devices").asInt() <= 6);
    }

    private static Stream<Arguments> hosts(List<String> layouts, Predicate<JsonNode> which) {
        return layouts.stream()
                .flatMap(layout -> instances().stream()
                        .filter(which)
                        .map(instance -> text(instance, "instanceType"))
                        .filter(instance -> exists(layout, instance))
                        .map(instance -> Arguments.of(layout, instance)));
    }

    /** Returns whether hosts of an instance type can have a layout. */
    static boolean exists(String layout, String instance) {
        String architecture = text(instance(instance), "archCore").replace("NC", "");
        return texts(LAYOUTS.get("architectures").get(architecture), "layouts").contains(layout);
    }

    static List<List<Integer>> coreMap(String name) {
        return LAYOUTS.get("coreMaps")
                .get(name)
                .get("rows")
                .valueStream()
                .map(row -> row.valueStream().map(JsonNode::asInt).toList())
                .toList();
    }

    /** Returns the files of one host by their path below the devices' directory. */
    static Map<String, FactFile> files(String layoutName, String instanceName) {
        JsonNode instance = instance(instanceName);
        Map<String, FactFile> files = new TreeMap<>();
        Map<String, FactFile> templates = templates(layoutName, instance);
        for (int device = 0; device < instance.get("devices").asInt(); device++) {
            for (Map.Entry<String, FactFile> template : templates.entrySet()) {
                String path = template.getKey().replace("{N}", Integer.toString(device));
                if (!path.contains("{K}")) {
                    files.put(path, template.getValue());
                    continue;
                }
                for (int core = 0; core < instance.get("coresPerDevice").asInt(); core++) {
                    files.put(path.replace("{K}", Integer.toString(core)), template.getValue());
                }
            }
        }
        return files;
    }

    private static Map<String, FactFile> templates(String layoutName, JsonNode instance) {
        int architecture = architecture(instance);
        JsonNode layout = layout(layoutName);
        return layout.has("files") ? ofDriver(layout, architecture) : ofDocument(layout, architecture);
    }

    /** Returns the architecture, taken from the core: Inf2 prints NDv3 too. */
    private static int architecture(JsonNode instance) {
        return Integer.parseInt(text(instance, "archCore").substring("NCv".length()));
    }

    private static Map<String, FactFile> ofDriver(JsonNode layout, int architecture) {
        Map<String, FactFile> files = new TreeMap<>();
        for (JsonNode file : layout.get("files")) {
            String first = text(file, "arch");
            if (first.equals("all") || architecture >= first.charAt(1) - '0') {
                files.put(
                        text(file, "path"),
                        new FactFile(
                                text(file, "kind"),
                                Integer.parseInt(text(file, "mode"), 8),
                                text(file, "format"),
                                text(file, "write"),
                                text(file, "notify"),
                                false));
            }
        }
        return files;
    }

    /**
     * Returns the files of a document's layout. It lists only names; everything else about a name comes from the
     * driver.
     */
    private static Map<String, FactFile> ofDocument(JsonNode layout, int architecture) {
        Map<String, FactFile> driver = ofDriver(layout("driver-2.x"), architecture);
        Map<String, FactFile> files = new TreeMap<>();
        List<String> plain = new ArrayList<>();
        texts(layout, "deviceRootAttributes").forEach(name -> plain.add("neuron{N}/" + name));
        texts(layout, "deviceInfo").forEach(name -> plain.add("neuron{N}/info/" + name));
        texts(layout, "deviceHardware").forEach(name -> plain.add("neuron{N}/stats/hardware/" + name));
        texts(layout, "coreInfo").forEach(name -> plain.add("neuron{N}/neuron_core{K}/info/" + name));
        plain.stream().filter(driver::containsKey).forEach(path -> files.put(path, driver.get(path)));

        String coreStats = "neuron{N}/neuron_core{K}/stats/";
        List<String> counters = texts(layout, "counterFiles");
        List<String> memoryCounters = texts(layout, "memoryCounterFiles");
        texts(layout, "coreStatusCounters").forEach(name -> add(files, coreStats + "status/" + name, counters));
        texts(layout, "coreOtherInfo").forEach(name -> add(files, coreStats + "other_info/" + name, counters));
        add(files, coreStats + "memory_usage/host_mem", memoryCounters);
        add(files, coreStats + "memory_usage/device_mem", memoryCounters);
        texts(layout, "coreDeviceMemCategories")
                .forEach(name -> add(files, coreStats + "memory_usage/device_mem/" + name, memoryCounters));
        texts(layout, "deviceHostMemCategories")
                .forEach(name -> add(files, "neuron{N}/stats/memory_usage/host_mem/" + name, memoryCounters));
        return files;
    }

    private static void add(Map<String, FactFile> files, String counter, List<String> fields) {
        fields.forEach(field -> files.put(
                counter + '/' + field, new FactFile(field, 0644, "%llu\\n", "zero this field", "change+write", true)));
    }
}
