package dev.neurontest.fake.internal.driver.instance;

import dev.neurontest.fake.internal.files.ResourceLines;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reader of {@code instances.txt}, which documents its columns. */
final class InstanceTable {

    private static final Pattern BLANKS = Pattern.compile("\\s+");

    static final List<InstanceType> TYPES = read();

    private final Map<String, List<List<Integer>>> orders = new HashMap<>();
    private final Map<String, List<Numbering>> numberings = new HashMap<>();
    private final Map<String, HardwareFamily> families = new HashMap<>();
    private final Map<String, List<List<Integer>>> topologies = new HashMap<>();
    private final Map<String, List<PciSlot>> slots = new HashMap<>();
    private final List<InstanceType> types = new ArrayList<>();

    private InstanceTable() {}

    private static List<InstanceType> read() {
        InstanceTable table = new InstanceTable();
        for (String line : ResourceLines.of(InstanceTable.class, "instances.txt")) {
            table.add(BLANKS.split(line.trim(), 3));
        }
        return List.copyOf(table.types);
    }

    private void add(String[] line) {
        String name = line[1];
        switch (line[0]) {
            case "order" -> orders.put(name, numbersByDevice(line[2]));
            case "numbering" -> addNumbering(name, BLANKS.split(line[2]));
            case "family" -> families.put(name, family(name, BLANKS.split(line[2])));
            case "topology" -> topologies.put(name, numbersByDevice(line[2]));
            case "slots" -> addSlots(name, line[2]);
            case "instance" -> types.add(instance(name, BLANKS.split(line[2])));
            default ->
                throw new IllegalStateException("instances.txt: unknown line \"" + String.join(" ", line) + "\"");
        }
    }

    private void addNumbering(String family, String[] columns) {
        List<List<Integer>> rows = orders.get(columns[2]);
        if (rows == null) {
            throw new IllegalStateException("instances.txt: " + family + " names an unknown order");
        }
        numberings.putIfAbsent(family, new ArrayList<>());
        for (String platform : columns[0].split(",")) {
            numberings.get(family).add(new Numbering(platform(platform), release(columns[1]), rows));
        }
    }

    private void addSlots(String names, String text) {
        List<PciSlot> places = new ArrayList<>();
        for (String place : text.split("\\|")) {
            places.add(PciSlot.of(BLANKS.split(place.trim())));
        }
        for (String name : names.split(",")) {
            slots.put(name, List.copyOf(places));
        }
    }

    private static Platform platform(String word) {
        return Platform.valueOf(word.toUpperCase(Locale.ROOT));
    }

    private static DriverRelease release(String text) {
        Optional<DriverRelease> release = DriverRelease.of(text);
        if (release.isEmpty()) {
            throw new IllegalStateException("instances.txt: " + text + " is not a release");
        }
        return release.get();
    }

    private HardwareFamily family(String name, String[] columns) {
        return new HardwareFamily(
                name,
                Integer.parseInt(columns[0]),
                columns[1],
                columns[2],
                columns[3],
                Integer.parseInt(columns[4]),
                Long.parseLong(columns[5]) << 30,
                Integer.parseInt(columns[6]),
                drivers(columns, 7),
                List.copyOf(numberings.getOrDefault(name, List.of())));
    }

    private static DriverRange drivers(String[] columns, int since) {
        return new DriverRange(
                release(columns[since]), columns.length > since + 1 ? release(columns[since + 1]) : null);
    }

    private static List<List<Integer>> numbersByDevice(String text) {
        List<List<Integer>> byDevice = new ArrayList<>();
        for (String device : text.split("\\|")) {
            List<Integer> numbers = new ArrayList<>();
            for (String number : device.trim().split(",")) {
                numbers.add(Integer.valueOf(number));
            }
            byDevice.add(List.copyOf(numbers));
        }
        return List.copyOf(byDevice);
    }

    private InstanceType instance(String name, String[] columns) {
        HardwareFamily family = families.get(columns[0]);
        int devices = Integer.parseInt(columns[1]);
        List<List<Integer>> topology =
                columns[2].equals("-") ? Collections.nCopies(devices, List.of()) : topologies.get(columns[2]);
        if (family == null || topology == null || topology.size() != devices) {
            throw new IllegalStateException("instances.txt: " + name + " names an unknown family or topology");
        }
        List<PciSlot> places = slots.getOrDefault(name, PciSlot.unknown(devices));
        if (places.size() != devices) {
            throw new IllegalStateException(
                    "instances.txt: " + name + " has " + places.size() + " slots for its devices");
        }
        return new InstanceType(name, family, devices, topology, places, columns.length > 3 ? special(columns) : null);
    }

    private static InstanceType.Special special(String[] columns) {
        return new InstanceType.Special(platform(columns[3]), drivers(columns, 4));
    }
}
