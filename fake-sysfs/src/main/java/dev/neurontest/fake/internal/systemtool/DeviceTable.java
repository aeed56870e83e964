package dev.neurontest.fake.internal.systemtool;

import dev.neurontest.fake.internal.driver.instance.MadeUpIds;
import dev.neurontest.fake.internal.help.VisibleText;
import dev.neurontest.fake.internal.systemtool.ListedDevice.ListedProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The table of {@code neuron-ls}. A column without any value is left out. */
final class DeviceTable {

    private record Column(
            String head,
            String below,
            BiFunction<ListedDevice, @Nullable ListedProcess, String> value,
            boolean ofProcess) {}

    private DeviceTable() {}

    /**
     * Formats a table.
     *
     * @param list the devices
     * @param placed true if the tool shows the numbers of cores and the processors near a device
     * @param longestCommand maximum length of a command
     */
    static String of(DeviceList list, boolean placed, int longestCommand) {
        List<Column> columns = columns(placed, longestCommand);
        List<List<List<String>>> groups =
                list.devices().stream().map(device -> rows(device, columns)).toList();
        List<Integer> shown = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            int column = i;
            if (groups.stream()
                    .flatMap(List::stream)
                    .anyMatch(row -> !row.get(column).isEmpty())) {
                shown.add(i);
            }
        }
        List<Integer> widths = shown.stream()
                .map(i -> Math.max(
                        Math.max(
                                columns.get(i).head().length(),
                                columns.get(i).below().length()),
                        groups.stream()
                                .flatMap(List::stream)
                                .mapToInt(row -> row.get(i).length())
                                .max()
                                .orElse(0)))
                .toList();
        String rule = widths.stream().map(width -> "-".repeat(width + 2)).collect(Collectors.joining("+", "+", "+\n"));
        StringBuilder text = new StringBuilder(head(list)).append(rule);
        text.append(row(shown.stream().map(i -> columns.get(i).head()).toList(), widths, true));
        text.append(row(shown.stream().map(i -> columns.get(i).below()).toList(), widths, true));
        text.append(rule);
        boolean ruled = groups.stream().anyMatch(rows -> rows.size() > 1);
        for (List<List<String>> rows : groups) {
            for (List<String> row : rows) {
                text.append(row(shown.stream().map(row::get).toList(), widths, false));
            }
            text.append(ruled ? rule : "");
        }
        return text.append(ruled ? "" : rule).toString();
    }

    private static String head(DeviceList list) {
        return "instance-type: " + VisibleText.of(list.instanceType()) + "\ninstance-id: " + MadeUpIds.INSTANCE + "\n"
                + (list.choosesLogicalCores() ? "logical-neuroncore-config: " + list.logicalCoreSize() + "\n" : "");
    }

    private static List<Column> columns(boolean placed, int longestCommand) {
        List<Column> columns = new ArrayList<>();
        columns.add(device("NEURON", "DEVICE", device -> "" + device.number()));
        columns.add(device("NEURON", "CORES", device -> "" + device.cores()));
        if (placed) {
            columns.add(device("NEURON", "CORE IDS", DeviceTable::range));
        }
        columns.add(device("NEURON", "MEMORY", device -> (device.memory() >> 30) + " GB"));
        columns.add(device(
                "CONNECTED",
                "DEVICES",
                device ->
                        device.connectedDevices().stream().map(String::valueOf).collect(Collectors.joining(", "))));
        columns.add(device("PCI", "BDF", device -> address(device, placed)));
        columns.add(process("PID", "", process -> "" + process.pid()));
        columns.add(process(
                "COMMAND",
                "",
                process -> DeviceList.shortened(
                        VisibleText.of(process.command().replaceAll("\\s", " ")), longestCommand)));
        if (placed) {
            columns.add(device("CPU", "AFFINITY", device -> device.slot().cpus()));
            columns.add(device("NUMA", "NODE", device -> "" + device.slot().numaNode()));
        }
        columns.add(process("RUNTIME", "VERSION", ListedProcess::runtimeVersion));
        return columns;
    }

    /** Returns the address of a device: newer tools print the domain too. */
    static String address(ListedDevice device, boolean placed) {
        return (placed ? "0000:" : "") + device.slot().address();
    }

    private static String range(ListedDevice device) {
        List<Integer> cores = device.coreNumbers();
        return cores.get(0) + "-" + cores.get(cores.size() - 1);
    }

    private static Column device(String head, String below, java.util.function.Function<ListedDevice, String> value) {
        return new Column(head, below, (device, process) -> value.apply(device), false);
    }

    private static Column process(String head, String below, java.util.function.Function<ListedProcess, String> value) {
        return new Column(head, below, (device, process) -> process == null ? "" : value.apply(process), true);
    }

    /** Returns the rows of a device. The first of them has the cells of the device. */
    private static List<List<String>> rows(ListedDevice device, List<Column> columns) {
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < Math.max(1, device.processes().size()); i++) {
            boolean isFirst = i == 0;
            ListedProcess process =
                    device.processes().isEmpty() ? null : device.processes().get(i);
            rows.add(columns.stream()
                    .map(column ->
                            isFirst || column.ofProcess() ? column.value().apply(device, process) : "")
                    .toList());
        }
        return rows;
    }

    private static String row(List<String> cells, List<Integer> widths, boolean centered) {
        StringBuilder row = new StringBuilder("|");
        for (int i = 0; i < cells.size(); i++) {
            int gap = widths.get(i) - cells.get(i).length();
            int left = centered ? gap / 2 : 0;
            row.append(" ".repeat(left + 1))
                    .append(cells.get(i))
                    .append(" ".repeat(gap - left + 1))
                    .append('|');
        }
        return row.append('\n').toString();
    }
}
