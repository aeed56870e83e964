package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.Driver;
import dev.neurontest.fake.internal.driver.instance.DriverRelease;
import dev.neurontest.fake.internal.driver.instance.Election;
import dev.neurontest.fake.internal.driver.instance.Platform;
import dev.neurontest.fake.internal.tree.layout.Layout;
import java.util.List;

/** Builder of the file tree of a host. */
final class HostFiles {

    private static final String SERVER_ID = "8f1d2c3b4a596877";
    private static final String NO_SERVER_ID = "0000000000000000";

    /** First release in which the servers of a reservation exchange their numbers. */
    private static final DriverRelease RESERVATIONS = new DriverRelease(2, 27, 4);

    private HostFiles() {}

    /**
     * Creates the root directory.
     *
     * @param nodes the devices that have a node in {@code dev}, in the order of the node numbers
     */
    static DirectoryNode root(Layout layout, Driver driver, List<Integer> nodes) {
        FixedDirectory root = new FixedDirectory(null, "");
        FixedDirectory virtual = root.directory("sys/devices/virtual");
        FixedDirectory devices = virtual.add(new FixedDirectory(virtual, "neuron_device", 0755, true));
        FixedDirectory classes = root.directory("sys/class");
        FixedDirectory links = classes.add(new FixedDirectory(classes, "neuron_device", 0755, true));
        List<DeviceFiles.Placed> attributes =
                DeviceFiles.Placed.all(layout, driver.instanceType().family().architecture());
        for (Device device : driver.devices()) {
            DeviceDirectory home = new DeviceDirectory(devices, device, 0755);
            home.fillLater(directory -> DeviceFiles.fill(home, attributes, driver));
            devices.add(home, device);
            links.add(new LinkNode(links, device.toString(), "../../devices/virtual/neuron_device/" + device), device);
        }
        addClassAttributes(links, layout, driver);

        FixedDirectory modules = root.directory("sys/module");
        FixedDirectory module = modules.add(new FixedDirectory(modules, "neuron") {
            @Override
            int generation() {
                return driver.reloads();
            }
        });
        module.add(
                FileNode.attribute(module, "version", 0444, () -> driver.rules().version() + "\n"));
        module.add(FileNode.attribute(module, "refcnt", 0444, () -> driver.references() + "\n"));
        FixedDirectory dmi = virtual.directory("dmi/id");
        String product = driver.instanceType().name();
        dmi.add(FileNode.attribute(dmi, "product_name", 0444, new Content.Fixed(product + "\n"), null));

        FixedDirectory dev = root.add(new FixedDirectory(root, "dev", 0755, true));
        for (int i = 0; i < nodes.size(); i++) {
            Device device = driver.devices().get(nodes.get(i));
            dev.add(FileNode.ofDevice(dev, "neuron" + i, 0666, device.index()), device);
        }
        // This file is an attribute, because ordinary files are published only once. With kernel.dmesg_restrict only
        // root can read
        // the log.
        dev.add(FileNode.attribute(dev, "kmsg", 0400, () -> driver.kernelLog().text()));
        root.add(new ProcessesDirectory(root, "proc", driver));
        return root;
    }

    private static void addClassAttributes(FixedDirectory directory, Layout layout, Driver driver) {
        for (String name : layout.classAttributes().get(driver.platform())) {
            directory.add(FileNode.attribute(directory, name, 0444, () -> classAttribute(name, driver) + "\n"));
        }
    }

    /**
     * Returns the text of a class attribute as in section 5.4 of sysfs.md, for a host where no runtime has set a mode. Standalone
     * servers have no election.
     */
    private static String classAttribute(String name, Driver driver) {
        return switch (name) {
            case "hbm_7200_capable", "current_perf_profile" -> "0";
            case "node_id", "node_id_2", "node_id_4", "ultraserver_mode" ->
                driver.election().state() == Election.State.RUNNING && driver.platform() != Platform.STANDARD
                        ? "busy"
                        : elected(name, driver);
            default -> elected(name, driver);
        };
    }

    private static String elected(String name, Driver driver) {
        Election election = driver.election();
        boolean won = election.state() == Election.State.WON && isElecting(driver);
        boolean four = election.nodes() == 4;
        return switch (name) {
            case "node_id" -> won ? Integer.toString(election.node()) : "-1";
            case "node_id_2" -> won ? Integer.toString(election.ofPair()) : "-1";
            case "node_id_4" -> won && four ? Integer.toString(election.node()) : "-1";
            case "node_cnt" -> Integer.toString(election.nodes());
            case "reservation_id" -> won ? SERVER_ID : NO_SERVER_ID;
            case "server_id_2" -> won ? SERVER_ID : NO_SERVER_ID;
            case "server_id_4" -> won && four ? SERVER_ID : NO_SERVER_ID;
            case "ultraserver_mode" -> mode(driver, won);
            default -> throw new IllegalStateException("the fake has no content for class attribute " + name);
        };
    }

    /**
     * Returns whether the driver takes part in an election. In 2.26.5 a reservation takes its numbers from a table of preview
     * servers, which does not contain the fake.
     */
    private static boolean isElecting(Driver driver) {
        return switch (driver.platform()) {
            case STANDARD -> false;
            case ULTRASERVER -> true;
            case PDS, MAX -> driver.rules().release().atLeast(RESERVATIONS);
        };
    }

    /** Returns the modes: 1 for all four servers, 2 and 3 for a pair, 4 for one server. */
    private static String mode(Driver driver, boolean won) {
        if (driver.platform() == Platform.STANDARD) {
            return "";
        }
        return !won || driver.election().nodes() == 1 ? "4" : driver.election().nodes() == 4 ? "1,3,4" : "3,4";
    }
}
