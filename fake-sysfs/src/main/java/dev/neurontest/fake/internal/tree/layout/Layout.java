package dev.neurontest.fake.internal.tree.layout;

import dev.neurontest.fake.internal.driver.instance.DriverRules;
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

/**
 * What a release of the driver, or the user guide of a time, shows in sysfs.
 *
 * @param name such as {@code driver-2.30}
 * @param rules how the driver of that time behaves, by the first architecture for which it is that driver
 * @param attributes what devices and cores have
 * @param classAttributes names in the class directory
 * @param moves where attributes stand that are not at their own path: the beginning of paths, and what is there instead, both
 *     below {@code neuronN} and with {@code neuron_core*} for every core; empty for what is not invented
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Layout(
        String name,
        NavigableMap<Integer, DriverRules> rules,
        List<Attribute> attributes,
        Map<Platform, List<String>> classAttributes,
        Map<String, String> moves) {

    /** Where the devices are in every layout, relative to the root. */
    public static final String DEVICES = "sys/devices/virtual/neuron_device";

    /** Where the class of the devices is in every layout, relative to the root. */
    public static final String CLASS = "sys/class/neuron_device";

    /** The core in a path: every one. */
    public static final String CORE = "neuron_core*/";

    private static final List<String> NAMES =
            List.of("docs-2023", "docs-2025", "driver-2.x", "driver-2.27", "driver-2.28", "driver-2.29", "driver-2.30");

    /** No driver has these. They are for readers that must find an attribute wherever it stands. */
    private static final List<String> INVENTED = List.of("moved", "moved-deeper", "moved-beside");

    private static final Pattern ONE_CORE = Pattern.compile("neuron_core([0-9]+)/(.*)");

    private static final Map<String, Layout> READ = new ConcurrentHashMap<>();

    /**
     * The names of all layouts that were found somewhere.
     *
     * @return oldest first, newest driver last
     */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * The names of the layouts that no driver has.
     *
     * @return each has the attributes of the newest driver, at other places
     */
    public static List<String> invented() {
        return INVENTED;
    }

    /**
     * Looks a layout up.
     *
     * @param name such as {@code driver-2.30}
     * @return the layout of that name
     * @throws IllegalArgumentException when there is none; the message has near names
     */
    public static Layout named(String name) {
        if (!NAMES.contains(name) && !INVENTED.contains(name)) {
            List<String> known =
                    Stream.of(NAMES, INVENTED).flatMap(List::stream).toList();
            throw new IllegalArgumentException("no layout \"" + name + "\"; " + NearNames.question(name, known));
        }
        Layout known = READ.get(name);
        // Not computeIfAbsent: a layout that is like another reads that one meanwhile.
        return known != null ? known : remember(LayoutReader.read(name));
    }

    private static Layout remember(Layout layout) {
        READ.put(layout.name(), layout);
        return layout;
    }

    /**
     * How its driver behaves on some hardware.
     *
     * @param architecture the driver's architecture version
     * @return the rules
     */
    public DriverRules rules(int architecture) {
        return rules.floorEntry(architecture).getValue();
    }

    /**
     * Where a file stands of which the path in {@code driver-2.30} is known, both below {@code neuronN}.
     *
     * @param path there
     * @return the path in this layout
     */
    public String place(String path) {
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
