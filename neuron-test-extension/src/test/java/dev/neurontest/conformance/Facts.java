package dev.neurontest.conformance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is known about real machines: instance types, and which files each driver makes. */
final class Facts {

    static final String DEVICES = "sys/devices/virtual/neuron_device";
    static final String CLASS = "sys/class/neuron_device";

    private static final JsonNode INSTANCES = read("instances.json");
    private static final JsonNode LAYOUTS = read("layouts.json");

    private Facts() {}

    private static JsonNode read(String name) {
        return JsonMapper.shared().readTree(Facts.class.getResourceAsStream("/dev/neurontest/fake/" + name));
    }

    /** A size of machine. The neighbours are in the order in which the driver prints them. */
    record Instance(
            String name,
            int devices,
            int coresPerDevice,
            int logicalCoresPerDevice,
            int defaultLnc,
            String deviceArchitecture,
            String coreArchitecture,
            String family,
            String deviceName,
            long deviceMemoryBytes,
            List<List<Integer>> connectedDevices) {

        /** NDv3 is printed by Inf2 too, so it is the core that tells. */
        int architecture() {
            return coreArchitecture.charAt("NCv".length()) - '0';
        }

        boolean isUltraServer() {
            return name.startsWith("trn2u");
        }
    }

    /** A file of the driver: what kind of field it is, its permission bits, what it prints, and what a write does. */
    record DriverFile(String kind, int mode, String format, String write) {

        boolean isCounter() {
            return !kind.equals("plain");
        }
    }

    static List<Instance> instances() {
        return INSTANCES.valueStream().map(Facts::instance).toList();
    }

    static Optional<Instance> instance(String name) {
        return instances().stream()
                .filter(instance -> instance.name().equals(name))
                .findFirst();
    }

    private static Instance instance(JsonNode node) {
        return new Instance(
                node.get("instanceType").asString(),
                node.get("devices").asInt(),
                node.get("coresPerDevice").asInt(),
                node.get("logicalCoresPerDevice").asInt(),
                node.get("defaultLnc").asInt(),
                node.get("archDevice").asString(),
                node.get("archCore").asString(),
                node.get("instanceFamilyString").asString(),
                node.get("deviceName").asString(),
                node.get("deviceMemoryBytes").asLong(),
                node.get("connectedDevices")
                        .valueStream()
                        .map(of -> of.valueStream().map(JsonNode::asInt).toList())
                        .toList());
    }

    static List<Layout> layouts() {
        return Stream.of("layouts", "additionalLayouts")
                .flatMap(group -> LAYOUTS.get(group).propertyStream())
                .map(layout -> new Layout(layout.getKey(), layout.getValue()))
                .toList();
    }

    /** Which layout a host has, by its driver; a tree made from a document gives itself away by names that no driver has. */
    static Optional<Layout> layoutOf(String version, List<String> statusNames) {
        return layouts().stream()
                .filter(layout -> layout.isOf(version))
                .filter(layout -> new HashSet<>(layout.statusNames()).equals(new HashSet<>(statusNames)))
                .findFirst();
    }

    /** The files of one driver, or of one document. */
    static final class Layout {

        private final String name;
        private final JsonNode node;

        private Layout(String name, JsonNode node) {
            this.name = name;
            this.node = node;
        }

        String name() {
            return name;
        }

        /** Whether this is how a release of the driver does it. */
        boolean isOf(String version) {
            JsonNode closest = node.get("closestDriver");
            if (closest != null) {
                return closest.asString().equals(version);
            }
            JsonNode last = node.get("driverTo");
            return release(version) >= release(node.get("driverFrom").asString())
                    && (last.isNull() || release(version) <= release(last.asString()));
        }

        private static int release(String version) {
            String[] numbers = version.split("\\.");
            return Integer.parseInt(numbers[0]) * 1000 + Integer.parseInt(numbers[1]);
        }

        /** Whether what a process counts shows while it runs. */
        boolean isLive() {
            return node.has("files")
                    && node.get("files")
                            .valueStream()
                            .filter(file -> file.get("path").asString().endsWith("/status/success/total"))
                            .anyMatch(file -> file.get("write").asString().contains("every datastore slot"));
        }

        List<String> statusNames() {
            return texts("coreStatusCounters");
        }

        List<String> categories() {
            return texts("coreDeviceMemCategories");
        }

        /** The counter below {@code status} that an outcome of the runtime moves. */
        Map<String, Optional<String>> statusCounters() {
            String column = name.startsWith("docs") ? name : "driver-2.x";
            Map<String, Optional<String>> counters = new LinkedHashMap<>();
            for (JsonNode status : LAYOUTS.get("nrtStatus")) {
                JsonNode counter = status.get("counters").get(column);
                counters.put(
                        status.get("name").asString(),
                        counter.isNull() ? Optional.empty() : Optional.of(counter.asString()));
            }
            return counters;
        }

        Set<String> classAttributes(Instance instance) {
            Set<String> names = new HashSet<>(texts("classAttributes"));
            if (!names.isEmpty() && instance.isUltraServer()) {
                names.addAll(List.of("node_id_2", "node_id_4", "server_id_2", "server_id_4", "ultraserver_mode"));
            }
            return names;
        }

        /** Every file of the driver on a machine, by its path below the directory of the devices. */
        Map<String, DriverFile> files(Instance instance) {
            Map<String, DriverFile> files = new HashMap<>();
            Map<String, DriverFile> templates = templates(instance.architecture());
            IntStream.range(0, instance.devices())
                    .forEach(device -> templates.forEach((template, file) -> {
                        String path = template.replace("{N}", Integer.toString(device));
                        if (path.contains("{K}")) {
                            IntStream.range(0, instance.coresPerDevice())
                                    .forEach(core -> files.put(path.replace("{K}", Integer.toString(core)), file));
                        } else {
                            files.put(path, file);
                        }
                    }));
            return files;
        }

        private Map<String, DriverFile> templates(int architecture) {
            return node.has("files") ? ofDriver(architecture) : ofDocument(architecture);
        }

        private Map<String, DriverFile> ofDriver(int architecture) {
            Map<String, DriverFile> files = new HashMap<>();
            for (JsonNode file : node.get("files")) {
                String first = file.get("arch").asString();
                if (first.equals("all") || architecture >= first.charAt(1) - '0') {
                    files.put(
                            file.get("path").asString(),
                            new DriverFile(
                                    file.get("kind").asString(),
                                    Integer.parseInt(file.get("mode").asString(), 8),
                                    file.get("format").asString(),
                                    file.get("write").asString()));
                }
            }
            return files;
        }

        /** A document names its files and counters; everything else about them is as in the first driver. */
        private Map<String, DriverFile> ofDocument(int architecture) {
            String device = "neuron{N}/";
            String core = "neuron{N}/neuron_core{K}/";
            List<String> named = new ArrayList<>();
            texts("deviceRootAttributes").forEach(name -> named.add(device + name));
            texts("deviceInfo").forEach(name -> named.add(device + "info/" + name));
            texts("deviceHardware").forEach(name -> named.add(device + "stats/hardware/" + name));
            texts("coreInfo").forEach(name -> named.add(core + "info/" + name));

            Map<String, DriverFile> files = layout("driver-2.x").templates(architecture);
            files.keySet().retainAll(named);
            statusNames().forEach(name -> addCounter(files, core + "stats/status/" + name, "counterFiles"));
            texts("coreOtherInfo")
                    .forEach(name -> addCounter(files, core + "stats/other_info/" + name, "counterFiles"));
            addCounter(files, core + "stats/memory_usage/host_mem", "memoryCounterFiles");
            addCounter(files, core + "stats/memory_usage/device_mem", "memoryCounterFiles");
            categories()
                    .forEach(name ->
                            addCounter(files, core + "stats/memory_usage/device_mem/" + name, "memoryCounterFiles"));
            texts("deviceHostMemCategories")
                    .forEach(name ->
                            addCounter(files, device + "stats/memory_usage/host_mem/" + name, "memoryCounterFiles"));
            return files;
        }

        private void addCounter(Map<String, DriverFile> files, String counter, String fields) {
            texts(fields)
                    .forEach(field -> files.put(
                            counter + '/' + field, new DriverFile(field, 0644, "%llu\\n", "zero this field")));
        }

        private List<String> texts(String property) {
            return node.get(property).valueStream().map(JsonNode::asString).toList();
        }
    }

    static Layout layout(String name) {
        return layouts().stream()
                .filter(layout -> layout.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
