package dev.neurontest.fake.driver;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code instances.txt}, which explains its own columns. */
final class InstanceTable {

    static final List<InstanceType> TYPES = read();

    private final Map<String, HardwareFamily> families = new HashMap<>();
    private final Map<String, List<List<Integer>>> orders = new HashMap<>();
    private final Map<String, List<List<Integer>>> topologies = new HashMap<>();
    private final List<InstanceType> types = new ArrayList<>();

    private InstanceTable() {}

    private static List<InstanceType> read() {
        InstanceTable table = new InstanceTable();
        try (InputStream in = InstanceTable.class.getResourceAsStream("instances.txt")) {
            if (in == null) {
                throw new IllegalStateException("instances.txt is missing from the jar of fake-sysfs");
            }
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(line -> table.add(line.trim().split("\\s+", 3)));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read instances.txt of fake-sysfs", e);
        }
        return List.copyOf(table.types);
    }

    private void add(String[] line) {
        String name = line[1];
        switch (line[0]) {
            case "order" -> orders.put(name, numbersByDevice(line[2]));
            case "family" -> families.put(name, family(name, line[2].split("\\s+")));
            case "topology" -> topologies.put(name, numbersByDevice(line[2]));
            case "instance" -> types.add(instance(name, line[2].split("\\s+")));
            default ->
                throw new IllegalStateException("instances.txt: unknown line \"" + String.join(" ", line) + "\"");
        }
    }

    private HardwareFamily family(String name, String[] columns) {
        List<List<Integer>> order = columns[6].equals("-") ? List.of() : orders.get(columns[6]);
        if (order == null) {
            throw new IllegalStateException("instances.txt: " + name + " names an unknown order");
        }
        return new HardwareFamily(
                name,
                Integer.parseInt(columns[0]),
                columns[1],
                columns[2],
                columns[3],
                Integer.parseInt(columns[4]),
                Integer.parseInt(columns[5]),
                order);
    }

    private static List<List<Integer>> numbersByDevice(String text) {
        return Arrays.stream(text.split("\\|"))
                .map(device -> Arrays.stream(device.trim().split(","))
                        .map(Integer::valueOf)
                        .toList())
                .toList();
    }

    private InstanceType instance(String name, String[] columns) {
        HardwareFamily family = families.get(columns[0]);
        int devices = Integer.parseInt(columns[1]);
        List<List<Integer>> topology =
                columns[2].equals("-") ? Collections.nCopies(devices, List.of()) : topologies.get(columns[2]);
        if (family == null || topology == null || topology.size() != devices) {
            throw new IllegalStateException("instances.txt: " + name + " names an unknown family or topology");
        }
        return new InstanceType(name, family, devices, topology, columns.length > 3);
    }
}
