package dev.neurontest.fake.tree;

import dev.neurontest.fake.driver.Device;
import dev.neurontest.fake.driver.Driver;
import java.util.List;
import java.util.function.Function;

/** Everything under the root of a host. */
final class HostFiles {

    static final String DEVICES = "sys/devices/virtual/neuron_device";

    private static final String SERVER_ID = "8f1d2c3b4a596877";

    private HostFiles() {}

    static DirectoryNode root(Layout layout, Driver driver) {
        FixedDirectory root = new FixedDirectory(null, "");
        List<Device> devices = driver.devices();

        FixedDirectory virtual = root.directory("sys/devices/virtual");
        Shape shape = DeviceShape.of(layout, driver);
        virtual.add(new NumberedDirectory(
                virtual,
                "neuron_device",
                devices,
                each(devices, (in, device) -> new DeviceDirectory(in, device, shape))));

        FixedDirectory classes = root.directory("sys/class");
        NumberedDirectory neuronClass = classes.add(new NumberedDirectory(
                classes,
                "neuron_device",
                devices,
                each(
                        devices,
                        (in, device) ->
                                new LinkNode(in, device.toString(), "../../devices/virtual/neuron_device/" + device))));
        addClassAttributes(neuronClass, layout, driver.instanceType().ultraServer());

        FixedDirectory module = root.directory("sys/module/neuron");
        module.add(
                FileNode.attribute(module, "version", 0444, () -> layout.rules().version() + "\n"));
        FixedDirectory dmi = virtual.directory("dmi/id");
        String product = driver.instanceType().name();
        dmi.add(FileNode.attribute(dmi, "product_name", 0444, () -> product + "\n"));

        root.add(new NumberedDirectory(
                root,
                "dev",
                devices,
                each(devices, (in, device) -> FileNode.ordinary(in, device.toString(), 0666, () -> ""))));
        root.add(new ProcessesDirectory(root, "proc", driver));
        return root;
    }

    private interface EntryOf {
        Node in(DirectoryNode directory, Device device);
    }

    private static Function<NumberedDirectory, List<Node>> each(List<Device> devices, EntryOf entry) {
        return directory ->
                devices.stream().map(device -> entry.in(directory, device)).toList();
    }

    private static void addClassAttributes(NumberedDirectory directory, Layout layout, boolean ultraServer) {
        layout.classAttributes().forEach(name -> addClassAttribute(directory, name, ultraServer));
        if (ultraServer) {
            layout.ultraServerAttributes().forEach(name -> addClassAttribute(directory, name, true));
        }
    }

    private static void addClassAttribute(NumberedDirectory directory, String name, boolean ultraServer) {
        String text = classAttribute(name, ultraServer) + "\n";
        directory.always().add(FileNode.attribute(directory, name, 0444, () -> text));
    }

    /** An UltraServer whose election is over and in which every mode is possible; this host is its first server. */
    private static String classAttribute(String name, boolean ultraServer) {
        return switch (name) {
            case "node_id_2", "node_id_4" -> ultraServer ? "0" : "-1";
            case "server_id_2", "server_id_4" -> ultraServer ? SERVER_ID : "0000000000000000";
            case "ultraserver_mode" -> ultraServer ? "1,2,3,4" : "";
            case "hbm_7200_capable" -> "0";
            case "current_perf_profile" -> "-1";
            default -> throw new IllegalStateException("the fake has no content for class attribute " + name);
        };
    }
}
