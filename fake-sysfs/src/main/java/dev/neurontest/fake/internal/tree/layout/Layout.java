package dev.neurontest.fake.internal.tree.layout;

import dev.neurontest.fake.internal.driver.instance.DriverRelease;
import dev.neurontest.fake.internal.driver.instance.DriverRules;
import dev.neurontest.fake.internal.driver.instance.HardwareFamily;
import dev.neurontest.fake.internal.driver.instance.InstanceType;
import dev.neurontest.fake.internal.driver.instance.NearNames;
import dev.neurontest.fake.internal.driver.instance.Platform;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The sysfs files of a driver release, or of the user guide of a given year.
 *
 * @param name name such as {@code driver-2.30}
 * @param rules behavior of the driver, by the first architecture version to which it applies
 * @param attributes attributes of devices and cores
 * @param classAttributes names in the class directory
 * @param moves moved attributes: path prefixes and their replacements, both below {@code neuronN} and with {@code neuron_core*} for
 *     every core; empty unless the layout is invented
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Layout(
        String name,
        NavigableMap<Integer, DriverRules> rules,
        List<Attribute> attributes,
        Map<Platform, List<String>> classAttributes,
        Map<String, String> moves) {

    /** Path of the devices in every layout, relative to the root. */
    public static final String DEVICES = "sys/devices/virtual/neuron_device";

    /** Path of the class of the devices in every layout, relative to the root. */
    public static final String CLASS = "sys/class/neuron_device";

    /** Placeholder for every core in a path. */
    public static final String CORE = "neuron_core*/";

    private static final List<String> NAMES =
            List.of("docs-2023", "docs-2025", "driver-2.x", "driver-2.27", "driver-2.28", "driver-2.29", "driver-2.30");

    /** Layouts that no driver has. They test that a reader finds attributes at other paths. */
    private static final List<String> INVENTED = List.of("moved", "moved-deeper", "moved-beside");

    private static final Pattern ONE_CORE = Pattern.compile("neuron_core([0-9]+)/(.*)");

    private static final Map<String, Layout> READ = new ConcurrentHashMap<>();

    /**
     * Returns the names of all layouts that were observed.
     *
     * @return names in order of age, the newest driver last
     */
    public static List<String> names() {
        return NAMES;
    }

    /** Returns the names of the layouts that no driver has. They have the attributes of the newest driver at other paths. */
    public static List<String> invented() {
        return INVENTED;
    }

    /**
     * Returns the layout of a name.
     *
     * @param name name such as {@code driver-2.30}
     * @throws IllegalArgumentException if there is none; the message suggests similar names
     */
    public static Layout named(String name) {
        if (!NAMES.contains(name) && !INVENTED.contains(name)) {
            List<String> names =
                    Stream.of(NAMES, INVENTED).flatMap(List::stream).toList();
            throw new IllegalArgumentException("no layout \"" + name + "\"; " + NearNames.question(name, names));
        }
        Layout cached = READ.get(name);
        // Not computeIfAbsent: reading a layout that is like another one also reads that one.
        return cached != null ? cached : remember(LayoutReader.read(name));
    }

    /**
     * Returns the layout of a host.
     *
     * @param type the instance type of the host
     * @param name the name of a layout, or null for the newest one with a driver that supports the instance type
     * @throws IllegalArgumentException if there is no such layout, or its driver does not support the instance type; the message lists
     *     layouts to use instead
     */
    public static Layout of(InstanceType type, @Nullable String name) {
        HardwareFamily family = type.family();
        Layout layout = name != null ? named(name) : newest(family);
        if (layout.supports(family)) {
            return layout;
        }
        DriverRules rules = layout.rules(family.architecture());
        DriverRelease since = family.drivers().since();
        String unsupported =
                rules.release().atLeast(since) ? "from " + family.drivers().before() + " on" : "before " + since;
        throw new IllegalArgumentException(
                "%s cannot have layout \"%s\" with driver %s: drivers %s do not support %s; use one of %s"
                        .formatted(
                                type.name(),
                                layout.name(),
                                rules.version(),
                                unsupported,
                                family.name(),
                                String.join(", ", names(family))));
    }

    /** Returns the newest layout that supports a family. Older ones are not read. */
    private static Layout newest(HardwareFamily family) {
        int last = NAMES.size() - 1;
        while (!named(NAMES.get(last)).supports(family)) {
            last--;
        }
        return named(NAMES.get(last));
    }

    /** Returns the names of the observed layouts whose driver supports a family, the newest driver last. */
    public static List<String> names(HardwareFamily family) {
        return NAMES.stream().filter(name -> named(name).supports(family)).toList();
    }

    boolean supports(HardwareFamily family) {
        return family.drivers().contains(rules(family.architecture()).release());
    }

    private static Layout remember(Layout layout) {
        READ.put(layout.name(), layout);
        return layout;
    }

    /**
     * Returns the rules of the driver on given hardware.
     *
     * @param architecture the architecture version of the driver
     */
    public DriverRules rules(int architecture) {
        return rules.floorEntry(architecture).getValue();
    }

    /** Translates a path in {@code driver-2.30} to the path in this layout. Both are below {@code neuronN}. */
    public String place(String path) {
        if (moves.isEmpty()) {
            return path;
        }
        Matcher core = ONE_CORE.matcher(path);
        boolean ofOneCore = core.matches();
        String general = ofOneCore ? CORE + core.group(2) : path;
        String place = moves.keySet().stream()
                .filter(general::startsWith)
                .max(Comparator.comparing(String::length))
                .map(from -> moves.get(from) + general.substring(from.length()))
                .orElse(general);
        return ofOneCore ? place.replace(CORE, "neuron_core" + core.group(1) + "/") : place;
    }
}
