package dev.neurontest.conformance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The facts about real machines: instance types, and the files of each driver. */
final class Facts {

    static final String DEVICES = "sys/devices/virtual/neuron_device";
    static final String CLASS = "sys/class/neuron_device";

    private static final String IDENTITY = "identity";
    private static final JsonNode INSTANCES = read("instances.json");
    private static final JsonNode LAYOUTS = read("layouts.json");
    private static final Pattern OF_DEVICE = Pattern.compile("neuron([0-9]+)/(?:neuron_core([0-9]+)/)?(.*)");

    private Facts() {}

    private static JsonNode read(String name) {
        return JsonMapper.shared().readTree(Facts.class.getResourceAsStream("/dev/neurontest/fake/" + name));
    }

    /** An instance type. The neighbours are in the order of the driver. */
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
            List<List<Integer>> connectedDevices,
            Platform platform,
            String coreMap,
            List<Integer> collectiveGroupSizes) {

        /** Returns the architecture, taken from the core: Inf2 prints NDv3 too. */
        int architecture() {
            return coreArchitecture.charAt("NCv".length()) - '0';
        }

        /**
         * Returns the map of its cores with no die flipped. On a standard platform it is the map of standard machines.
         */
        String coreMap(String version) {
            return coreMap.equals(IDENTITY) || !platform.in(version).equals(Platform.STANDARD) ? coreMap : "seng-swap";
        }
    }

    /** Returns the cores K of a device in the order of the runtime. */
    static List<Integer> cores(String coreMap, int device, int cores) {
        if (coreMap.equals(IDENTITY)) {
            return IntStream.range(0, cores).boxed().toList();
        }
        JsonNode rows = LAYOUTS.get("coreMaps").get(coreMap).get("rows");
        return rows.get(device % rows.size()).valueStream().map(JsonNode::asInt).toList();
    }

    /** The platform that the driver detects, from one release to another. */
    record Platform(String name, Optional<String> from, Optional<String> to) {

        static final String STANDARD = "standard";

        String in(String version) {
            boolean knows = from.map(first -> compare(version, first) >= 0).orElse(true)
                    && to.map(last -> compare(version, last) <= 0).orElse(true);
            return knows ? name : STANDARD;
        }
    }

    /** Compares versions, by the first two numbers if the other one is such as {@code 2.27.x}. */
    private static int compare(String version, String other) {
        String[] left = version.split("\\.");
        String[] right = other.split("\\.");
        for (int i = 0; i < Math.min(left.length, right.length) && !right[i].equals("x"); i++) {
            int difference = Integer.parseInt(left[i]) - Integer.parseInt(right[i]);
            if (difference != 0) {
                return difference;
            }
        }
        return 0;
    }

    /**
     * A file of the driver: the kind of its field, its permission bits, its output, the effect of a write, and its path
     * with {@code {N}} and {@code {K}} in the original layout.
     */
    record DriverFile(String kind, int mode, String format, String write, String canonical) {

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
                        .toList(),
                new Platform(node.get("platform").asString(), text(node, "platformFrom"), text(node, "platformTo")),
                node.get("coreMap").asString(),
                node.get("collectiveGroupSizes")
                        .valueStream()
                        .map(JsonNode::asInt)
                        .toList());
    }

    private static Optional<String> text(JsonNode node, String property) {
        return Optional.ofNullable(node.get(property))
                .filter(value -> !value.isNull())
                .map(JsonNode::asString);
    }

    static List<Layout> layouts() {
        return Stream.of("layouts", "additionalLayouts")
                .flatMap(group -> LAYOUTS.get(group).propertyStream())
                .map(layout -> new Layout(layout.getKey(), layout.getValue()))
                .toList();
    }

    /** Returns the layout of a host by its driver. A tree made from a document has names that no driver has. */
    static Optional<Layout> layoutOf(String version, Function<Layout, List<String>> statusNames) {
        return layouts().stream()
                .filter(layout -> layout.isOf(version))
                .filter(layout -> new HashSet<>(layout.statusNames()).equals(new HashSet<>(statusNames.apply(layout))))
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

        /** Returns whether a release of the driver has this layout. */
        boolean isOf(String version) {
            JsonNode closest = node.get("closestDriver");
            if (closest != null) {
                return closest.asString().equals(version);
            }
            return version.matches("[0-9]+(\\.[0-9]+)*")
                    && compare(version, node.get("driverFrom").asString()) >= 0
                    && text(node, "driverTo")
                            .map(last -> compare(version, last) <= 0)
                            .orElse(true);
        }

        /** Returns whether no driver has this layout. Its version is invented too. */
        boolean isInvented() {
            return node.has("invented");
        }

        /** Returns the version of an invented layout. */
        String shownVersion() {
            return node.get("closestDriver").asString();
        }

        /** Returns the place of a file by its path in driver 2.30, both below the directory of the devices. */
        String place(String path) {
            Matcher file = OF_DEVICE.matcher(path);
            if (!isInvented() || !file.matches()) {
                return path;
            }
            String core = Optional.ofNullable(file.group(2)).orElse("");
            String general = "neuron{N}/" + (core.isEmpty() ? "" : "neuron_core{K}/") + file.group(3);
            return node.get("moves")
                    .propertyStream()
                    .filter(move -> general.startsWith(move.getKey()))
                    .max(Comparator.comparing(move -> move.getKey().length()))
                    .map(move -> move.getValue().asString()
                            + general.substring(move.getKey().length()))
                    .orElse(general)
                    .replace("{N}", file.group(1))
                    .replace("{K}", core);
        }

        /** Returns whether the counts of a process are visible while it runs. */
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

        /** Returns the counters below {@code status} that the outcomes of the runtime move. */
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

        Set<String> classAttributes(Instance instance, String version) {
            JsonNode names = node.get("classAttributesByPlatform");
            return names == null
                    ? Set.of()
                    : names.get(instance.platform().in(version))
                            .valueStream()
                            .map(JsonNode::asString)
                            .collect(Collectors.toSet());
        }

        /** Returns every file of the driver on a machine, by its path below the directory of the devices. */
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
                                    file.get("write").asString(),
                                    file.get(file.has("canonical") ? "canonical" : "path")
                                            .asString()));
                }
            }
            return files;
        }

        /**
         * Returns the files of a document's layout. A document names only files and counters; everything else is as in
         * the first driver.
         */
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
                            counter + '/' + field,
                            new DriverFile(field, 0644, "%llu\\n", "zero this field", counter + '/' + field)));
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
