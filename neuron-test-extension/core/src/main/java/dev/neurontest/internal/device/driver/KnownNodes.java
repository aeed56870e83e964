package dev.neurontest.internal.device.driver;

import dev.neurontest.device.DriverVersion;
import dev.neurontest.device.Family;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The names of the nodes below a device and below a core, with their paths up to driver 2.30.2 and their releases. Each name is
 * used at most once below a device and at most once below a core. So the name identifies a node at any location. Source:
 * neuron_sysfs_metrics.c and neuron_cdev.c of the drivers 2.8.4 to 2.30.2.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class KnownNodes {

    /** First driver with a tree of this form, and newest driver with public source: 2.8.4 and 2.30.2. */
    static final int OLDEST = 8;

    static final int NEWEST = 30;

    private static final int STILL_THERE = Integer.MAX_VALUE;

    /** The hardware with a node. */
    private enum On {
        ALL,
        NOT_INF1,
        TRN2_AND_TRN3
    }

    /**
     * A node: a counter directory or a file.
     *
     * @param ofCore true for a node of each core, false for a node of the device
     * @param place path up to driver 2.30.2, relative to the core or device
     * @param since the second number of the first driver 2.x with the node
     * @param until the second number of the first later driver 2.x without it
     */
    private record Node(boolean ofCore, String place, On on, int since, int until) {

        boolean isIn(int driver, Family family) {
            boolean has = switch (on) {
                case ALL -> true;
                case NOT_INF1 -> family != Family.INF1;
                case TRN2_AND_TRN3 -> family.pairsCores();
            };
            return has && since <= driver && driver < until;
        }
    }

    private static final List<Node> NODES = new ArrayList<>();
    private static final Map<String, String> OF_CORES = new HashMap<>();
    private static final Map<String, String> OF_DEVICES = new HashMap<>();

    static {
        device("", On.ALL, 5, "reset", "core_count");
        device("", On.ALL, 13, "connected_devices");
        device("", On.ALL, 27, "fw_api_version");
        device("", On.ALL, 28, "fw_build");
        device("info/", On.ALL, 9, "notify_delay");
        device("info/", On.NOT_INF1, 15, "serial_number");
        device("info/architecture/", On.ALL, 8, "arch_type", "instance_type", "device_name");
        String memory = "stats/memory_usage/host_mem/";
        device(memory, On.ALL, 10, "dma_buffers", "tensors", "constants", "application_memory");
        device(memory, On.ALL, 17, "driver_memory", "notifications", "uncategorized");
        device(memory, On.ALL, 18, "dma_rings");
        String hardware = "stats/hardware/";
        device(hardware, On.NOT_INF1, 14, "sram_ecc_uncorrected", "mem_ecc_uncorrected");
        device(hardware, On.NOT_INF1, 23, "mem_ecc_repairable_uncorrected");
        device(hardware, On.NOT_INF1, 30, "sram_ecc_corrected", "mem_ecc_corrected");
        String health = "stats/hardware/health_status/";
        until(30, health, "hbm_ecc_err_count", "repairable_hbm_ecc_err_count", "sram_ecc_err_count");
        device(health, On.TRN2_AND_TRN3, 28, "hw_error_event");
        device(health, On.TRN2_AND_TRN3, 30, "unhealthy_components", "healthcheck_heartbeat");
        device("stats/power/", On.ALL, 21, "utilization");
        device("stats/power/", On.ALL, 29, "utilization_raw");

        core("info/architecture/", On.ALL, 8, "arch_type");
        String status = "stats/status/";
        core(status, On.ALL, 8, "success", "failure", "timeout", "exec_bad_input", "hw_error");
        core(status, On.ALL, 8, "execute_completed_with_error", "execute_completed_with_num_error");
        core(status, On.ALL, 8, "generic_error", "resource_error", "resource_nc_error", "execute_failed_to_queue");
        core(status, On.ALL, 8, "invalid_error", "unsupported_neff_version");
        core(status, On.ALL, 16, "oob_error");
        core(status, On.ALL, 19, "hw_collectives_error", "hw_hbm_ue_error", "hw_nc_ue_error", "hw_dma_abort_error");
        core(status, On.ALL, 20, "execute_sw_nq_overflow");
        core(status, On.ALL, 21, "execute_sw_semaphore_error", "execute_sw_event_error");
        core(status, On.ALL, 21, "execute_sw_psum_collision", "execute_sw_sequencer_fatal");
        core(status, On.ALL, 23, "hw_repairable_hbm_ue_error");
        core("stats/memory_usage/", On.ALL, 8, "host_mem", "device_mem");
        String category = "stats/memory_usage/device_mem/";
        core(category, On.ALL, 10, "model_code", "tensors", "constants", "model_shared_scratchpad", "runtime_memory");
        core(category, On.ALL, 17, "driver_memory", "collectives", "nonshared_scratchpad");
        core(category, On.ALL, 17, "notifications", "uncategorized");
        core(category, On.ALL, 18, "dma_rings");
        String otherInfo = "stats/other_info/";
        core(otherInfo, On.ALL, 8, "model_load_count", "reset_req_count", "reset_fail_count", "inference_count");
        core(otherInfo, On.ALL, 12, "flop_count");
        core(otherInfo, On.ALL, 21, "nc_time_in_use");
        core("stats/tensor_engine/", On.NOT_INF1, 23, "pe_cntrs");

        // Only documentation and drivers before 2.8 use these names.
        core(status, On.ALL, STILL_THERE, "infer_completed_with_error", "infer_completed_with_num_error");
        core(status, On.ALL, STILL_THERE, "infer_failed_to_queue");
        core(otherInfo, On.ALL, STILL_THERE, "reset_count");

        for (Node node : NODES) {
            (node.ofCore ? OF_CORES : OF_DEVICES).put(name(node.place), node.place);
        }
    }

    private KnownNodes() {}

    private static void device(String below, On on, int since, String... names) {
        add(false, below, on, since, STILL_THERE, names);
    }

    private static void until(int until, String below, String... names) {
        add(false, below, On.TRN2_AND_TRN3, 28, until, names);
    }

    private static void core(String below, On on, int since, String... names) {
        add(true, below, on, since, STILL_THERE, names);
    }

    private static void add(boolean ofCore, String below, On on, int since, int until, String... names) {
        for (String name : names) {
            NODES.add(new Node(ofCore, below + name, on, since, until));
        }
    }

    static String name(String place) {
        return place.substring(place.lastIndexOf('/') + 1);
    }

    /** Returns the paths of the nodes of a driver 2.x, by name. */
    static Map<String, String> of(boolean ofCore, int driver, Family family) {
        Map<String, String> places = new HashMap<>();
        for (Node node : NODES) {
            if (node.ofCore == ofCore && node.isIn(driver, family)) {
                places.put(name(node.place), node.place);
            }
        }
        return places;
    }

    /**
     * Returns the paths of the nodes that a driver must have according to its source.
     *
     * @param ofCore true for the nodes of a core, false for those of a device
     * @return paths up to driver 2.30.2; empty for an unknown driver, or one newer than the newest known one
     */
    public static Collection<String> of(boolean ofCore, Optional<DriverVersion> driver, Family family) {
        if (driver.isEmpty() || !driver.get().known() || driver.get().atLeast(2, NEWEST + 1)) {
            return List.of();
        }
        int release = NEWEST;
        while (release > OLDEST && !driver.get().atLeast(2, release)) {
            release--;
        }
        return of(ofCore, release, family).values();
    }

    /**
     * Returns the path of a node up to driver 2.30.2.
     *
     * @param ofCore true for a node below a core
     * @param name name of the node, such as {@code hw_error}
     * @return such as {@code stats/status/hw_error}; empty for a name that no driver up to 2.30.2 has
     */
    public static Optional<String> place(boolean ofCore, String name) {
        return Optional.ofNullable((ofCore ? OF_CORES : OF_DEVICES).get(name));
    }
}
