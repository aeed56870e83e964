package dev.neurontest.fake.internal.systemtool;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The picture of {@code neuron-ls --topology}. That of 16 devices is known. Chains and rings are drawn as one row of it, and a device
 * without links as a box.
 */
final class DevicePicture {

    private static final int TORUS = 16;
    private static final int ROW = 4;
    private static final String EDGE = "*––►";
    private static final String LEGEND = "\nLegend:\n\n        *––► = Wrap-around link\n";

    private DevicePicture() {}

    static String of(List<ListedDevice> devices) {
        boolean linked =
                devices.stream().anyMatch(device -> !device.connectedDevices().isEmpty());
        boolean torus =
                devices.size() == TORUS && devices.get(0).connectedDevices().size() == ROW;
        boolean ring = linked && devices.get(0).connectedDevices().size() > 1;
        StringBuilder picture = new StringBuilder("\n\nNeuron Device Topology\n");
        if (!torus) {
            return picture.append(row(devices, ring, linked ? "◄––►" : " "))
                    .append(ring ? LEGEND : "")
                    .toString();
        }
        picture.append(column("*")).append(column("│"));
        for (int first = 0; first < TORUS; first += ROW) {
            picture.append(column("▼"))
                    .append(row(devices.subList(first, first + ROW), true, "◄––►"))
                    .append(column("▲"))
                    .append(column("│"));
        }
        return picture.append(column("*")).append(LEGEND).toString();
    }

    private static String row(List<ListedDevice> devices, boolean wraps, String link) {
        return devices.stream()
                .map(device -> (device.number() < 10 ? "[ " : "[") + device.number() + " ]")
                .collect(Collectors.joining(link, wraps ? EDGE : "", wraps ? "◄––*\n" : "\n"));
    }

    private static String column(String character) {
        return IntStream.range(0, ROW)
                .mapToObj(each -> character)
                .collect(Collectors.joining("        ", "      ", "      \n"));
    }
}
