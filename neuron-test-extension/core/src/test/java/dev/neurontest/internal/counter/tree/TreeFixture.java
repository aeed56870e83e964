package dev.neurontest.internal.counter.tree;

import dev.neurontest.internal.host.BatchFixture;
import dev.neurontest.internal.host.EntryKind;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Files in memory that can be made to fail. Only the test changes them. */
public final class TreeFixture implements HostTree {

    public static final String DEVICES = "sys/devices/virtual/neuron_device/";

    private static final List<String> STATUS = List.of(
            "success",
            "failure",
            "timeout",
            "exec_bad_input",
            "hw_error",
            "execute_completed_with_error",
            "execute_completed_with_num_error",
            "generic_error",
            "resource_error",
            "resource_nc_error",
            "invalid_error",
            "unsupported_neff_version",
            "oob_error",
            "hw_collectives_error",
            "hw_hbm_ue_error",
            "hw_nc_ue_error",
            "hw_dma_abort_error",
            "execute_sw_nq_overflow",
            "execute_sw_semaphore_error",
            "execute_sw_event_error",
            "execute_sw_psum_collision",
            "execute_sw_sequencer_fatal",
            "hw_repairable_hbm_ue_error",
            "execute_failed_to_queue");
    private static final List<String> DEVICE_MEMORY = List.of("model_code", "tensors", "constants", "driver_memory");
    private static final List<String> HOST_MEMORY = List.of("dma_buffers", "tensors", "constants", "driver_memory");
    private static final List<String> OTHER = List.of(
            "model_load_count",
            "reset_req_count",
            "reset_fail_count",
            "inference_count",
            "flop_count",
            "nc_time_in_use");

    private final Map<String, Object> files = new TreeMap<>();
    private final Map<String, Supplier<IOException>> listFailures = new TreeMap<>();
    private final List<String> written = new ArrayList<>();
    private final Map<String, String> identities = new TreeMap<>();
    private final Map<String, Runnable> onListing = new ConcurrentHashMap<>();
    private Runnable onBatch = () -> {};
    private boolean ignoresWrites;
    private Supplier<IOException> writeFailure;
    private int batches;
    private final List<String> readAlone = Collections.synchronizedList(new ArrayList<>());

    /** Creates a host of one family with counters at zero, and with power, texts and tables as drivers have. */
    public static TreeFixture host(int devices, int cores) {
        TreeFixture tree = new TreeFixture();
        tree.set("sys/module/neuron/version", "2.30.2.0\n");
        for (int device = 0; device < devices; device++) {
            tree.device(device, cores);
        }
        return tree;
    }

    /** Creates a Trn2 host, where two physical cores form a logical one. */
    public static TreeFixture pairedHost() {
        TreeFixture tree = host(1, 8);
        tree.set(DEVICES + "neuron0/info/architecture/instance_type", "Trn2\n");
        tree.set(DEVICES + "neuron0/info/architecture/arch_type", "NDv3\n");
        tree.set(DEVICES + "neuron0/info/architecture/device_name", "Trainium2\n");
        for (int core = 0; core < 8; core++) {
            tree.set(DEVICES + "neuron0/neuron_core" + core + "/info/architecture/arch_type", "NCv3\n");
        }
        return tree;
    }

    private void device(int device, int cores) {
        String stats = DEVICES + "neuron" + device + "/stats/";
        set(DEVICES + "neuron" + device + "/info/architecture/instance_type", "Trn1\n");
        set(DEVICES + "neuron" + device + "/info/architecture/arch_type", "NDv2\n");
        set(DEVICES + "neuron" + device + "/info/architecture/device_name", "Trainium1\n");
        HOST_MEMORY.forEach(category -> counter(stats + "memory_usage/host_mem/" + category, true));
        for (String ecc : List.of(
                "sram_ecc_uncorrected", "mem_ecc_uncorrected", "mem_ecc_repairable_uncorrected", "mem_ecc_corrected")) {
            set(stats + "hardware/" + ecc, "0\n");
        }
        set(stats + "hardware/health_status/unhealthy_components", "\n");
        set(stats + "hardware/health_status/healthcheck_heartbeat", "12\n");
        set(stats + "power/utilization", "POWER_STATUS_VALID,1789180860,0.00,0.00,0.00\n");
        for (int core = 0; core < cores; core++) {
            core(device, core);
        }
    }

    private void core(int device, int core) {
        String directory = DEVICES + "neuron" + device + "/neuron_core" + core;
        set(directory + "/info/architecture/arch_type", "NCv2\n");
        String stats = directory + "/stats/";
        STATUS.forEach(name -> counter(stats + "status/" + name, false));
        OTHER.forEach(name -> counter(stats + "other_info/" + name, false));
        counter(stats + "memory_usage/host_mem", true);
        counter(stats + "memory_usage/device_mem", true);
        DEVICE_MEMORY.forEach(category -> counter(stats + "memory_usage/device_mem/" + category, true));
        set(stats + "tensor_engine/pe_cntrs", "xrow_grp,mm_active,wl_active,idle\n0,1,2,3\n");
    }

    public void counter(String path, boolean peak) {
        set(path + "/total", "0\n");
        set(path + "/present", "0\n");
        if (peak) {
            set(path + "/peak", "0\n");
        }
    }

    public TreeFixture set(String path, String content) {
        files.put(path, content);
        return this;
    }

    /** Sets a counter by its name in messages, such as {@code neuron0/neuron_core1 status/success}. */
    public TreeFixture count(String subject, long value) {
        return put(subject, Long.toUnsignedString(value) + "\n");
    }

    public TreeFixture put(String subject, String content) {
        return set(file(subject), content);
    }

    public TreeFixture fail(String subject, Supplier<IOException> failure) {
        files.put(file(subject), failure);
        return this;
    }

    public TreeFixture failFile(String path, Supplier<IOException> failure) {
        files.put(path, failure);
        return this;
    }

    /** Replaces a directory by another one at the same path. */
    public TreeFixture replace(String directory) {
        identities.merge(directory, "1", (known, one) -> known + one);
        return this;
    }

    /** Reloads the driver: all its counters begin at 0, and its directories are new. */
    public TreeFixture reload() {
        files.replaceAll((path, content) ->
                path.startsWith(DEVICES) && path.matches(".*/(total|present|peak)") ? "0\n" : content);
        replace("sys/module/neuron");
        files.keySet().stream()
                .filter(path -> path.startsWith(DEVICES))
                .map(path -> DEVICES + path.substring(DEVICES.length()).split("/")[0])
                .distinct()
                .forEach(this::replace);
        return this;
    }

    public TreeFixture failListing(String directory, Supplier<IOException> failure) {
        listFailures.put(directory, failure);
        return this;
    }

    /** Sets an action to run before each listing of a directory. */
    public void onListing(String directory, Runnable action) {
        onListing.put(directory, action);
    }

    public TreeFixture remove(String prefix) {
        files.keySet().removeIf(path -> path.startsWith(prefix));
        return this;
    }

    /** Moves everything below a prefix to another place. */
    public TreeFixture move(String from, String to) {
        Map<String, Object> moved = new TreeMap<>();
        files.forEach((path, content) ->
                moved.put(path.startsWith(from) ? to + path.substring(from.length()) : path, content));
        files.clear();
        files.putAll(moved);
        return this;
    }

    public String file(String subject) {
        String[] parts = subject.split(" ");
        String path = DEVICES + parts[0] + "/stats/" + parts[1];
        return files.containsKey(path + "/total") ? path + "/total" : path;
    }

    /** Sets an action to run before each reading of a whole batch. */
    public void onBatch(Runnable action) {
        onBatch = action;
    }

    public int batches() {
        return batches;
    }

    /** Returns the paths of the files that were read one by one. */
    public List<String> readAlone() {
        return readAlone;
    }

    public void ignoreWrites() {
        ignoresWrites = true;
    }

    public void refuseWrites(Supplier<IOException> failure) {
        writeFailure = failure;
    }

    public List<String> written() {
        return written;
    }

    @Override
    public String name() {
        return "fixture";
    }

    @Override
    public String location(String path) {
        return "/" + path;
    }

    @Override
    public byte[] read(String path) throws IOException {
        readAlone.add(path);
        return content(path);
    }

    private byte[] content(String path) throws IOException {
        Object content = files.get(path);
        if (content == null) {
            throw new NoSuchFileException(path);
        }
        if (content instanceof Supplier<?> failure) {
            throw (IOException) failure.get();
        }
        return ((String) content).getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void write(String path, byte[] content) throws IOException {
        read(path);
        if (writeFailure != null) {
            throw writeFailure.get();
        }
        written.add(path);
        if (!ignoresWrites) {
            files.put(path, "0\n");
        }
    }

    @Override
    public List<String> list(String directory) throws IOException {
        onListing.getOrDefault(directory, () -> {}).run();
        if (listFailures.containsKey(directory)) {
            throw listFailures.get(directory).get();
        }
        String prefix = directory + "/";
        List<String> names = files.keySet().stream()
                .filter(path -> path.startsWith(prefix))
                .map(path -> path.substring(prefix.length()).split("/")[0])
                .distinct()
                .toList();
        if (names.isEmpty()) {
            throw files.containsKey(directory)
                    ? new NotDirectoryException(directory)
                    : new NoSuchFileException(directory);
        }
        return names;
    }

    @Override
    public boolean exists(String path) {
        return kind(path).isPresent();
    }

    @Override
    public OptionalInt mode(String path) {
        return OptionalInt.empty();
    }

    @Override
    public Optional<String> linkTarget(String path) {
        return Optional.ofNullable(files.get("link:" + path)).map(String.class::cast);
    }

    @Override
    public Optional<String> identity(String path) {
        return kind(path).map(there -> identities.getOrDefault(path, "0"));
    }

    @Override
    public Optional<EntryKind> kind(String path) {
        if (files.containsKey("link:" + path)) {
            return Optional.of(EntryKind.LINK);
        }
        if (files.containsKey(path)) {
            return Optional.of(EntryKind.FILE);
        }
        return files.keySet().stream().anyMatch(file -> file.startsWith(path + "/"))
                ? Optional.of(EntryKind.DIRECTORY)
                : Optional.empty();
    }

    @Override
    public Batch prepare(List<String> paths) {
        return new BatchFixture(List.copyOf(paths), this::beginBatch, this::content);
    }

    private void beginBatch() {
        batches++;
        onBatch.run();
    }
}
