package dev.neurontest.fake.tree;

import dev.neurontest.fake.driver.DriverRules;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;

/**
 * What a release of the driver, or the user guide of a time, shows in sysfs.
 *
 * @param name such as {@code driver-2.30}
 * @param rules how the driver of that time behaves
 * @param attributes what devices and cores have
 * @param classAttributes names in the class directory of an ordinary host
 * @param ultraServerAttributes further names in the class directory of a server of an UltraServer
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Layout(
        String name,
        DriverRules rules,
        List<Attribute> attributes,
        List<String> classAttributes,
        List<String> ultraServerAttributes) {

    private static final List<String> NAMES =
            List.of("docs-2023", "docs-2025", "driver-2.x", "driver-2.28", "driver-2.29", "driver-2.30");

    private static final Map<String, Layout> READ = new ConcurrentHashMap<>();

    /**
     * The names of all layouts.
     *
     * @return oldest first, newest driver last
     */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * Looks a layout up.
     *
     * @param name such as {@code driver-2.30}
     * @return the layout of that name
     * @throws IllegalArgumentException when there is none; the message lists those that are there
     */
    public static Layout named(String name) {
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException("no layout \"" + name + "\"; there are: " + String.join(", ", NAMES));
        }
        Layout known = READ.get(name);
        // Not computeIfAbsent: a layout that is like another reads that one meanwhile.
        return known != null ? known : remember(LayoutReader.read(name));
    }

    private static Layout remember(Layout layout) {
        READ.put(layout.name(), layout);
        return layout;
    }
}
