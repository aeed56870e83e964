package dev.neurontest.fake;

import dev.neurontest.fake.internal.control.CommandSession;
import dev.neurontest.fake.internal.driver.LoadedModel;
import dev.neurontest.fake.internal.help.Reason;
import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.neff.NeffModel;
import dev.neurontest.fake.internal.neff.NeffTensor;
import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.profiler.call.Effect;
import dev.neurontest.fake.internal.profiler.capture.InspectOutput;
import dev.neurontest.fake.internal.profiler.capture.RuntimeTrace;
import dev.neurontest.fake.internal.runtime.Element;
import dev.neurontest.fake.internal.runtime.Event;
import java.io.EOFException;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The use of the runtime library by one process: its models, tensors and executions. Answers consist of words in the form that the library
 * reads. Only the thread of its connection may use it.
 */
final class RuntimeClient {

    private static final long PAGE = 4096;
    private static final String NO_FILE = "-";
    private static final String COMPUTE = "compute";
    private static final int PICO = 1000;

    private final FakeNeuronHost host;
    private final FakeRuntime runtime;
    private final FakeProcess process;
    private final int logicalCoreSize;
    private final Map<Long, Model> models = new HashMap<>();
    private final Map<Long, Execution> executions = new HashMap<>();
    private final Map<Long, FakeAllocation> tensors = new HashMap<>();
    private final Map<Integer, Done> latest = new HashMap<>();
    private @Nullable InspectOutput inspected;
    private long last;

    /** The last execution that ended on a logical core. */
    private record Done(
            Model model, int execution, @Nullable Duration time) {}

    private static final class Model {

        private final Neff neff;
        private final byte[] file;
        private final List<FakeCore> cores;
        private final int logicalCore;
        private final List<FakeAllocation> code;
        private final AtomicInteger running;
        private int executions;
        private boolean traced;
        // Number of the first execution since the trace began; 0 if there is none yet.
        private int tracedExecution;
        private @Nullable Duration tracedTime;

        private Model(
                Neff neff,
                byte[] file,
                List<FakeCore> cores,
                int logicalCore,
                List<FakeAllocation> code,
                AtomicInteger running) {
            this.neff = neff;
            this.file = file;
            this.cores = cores;
            this.logicalCore = logicalCore;
            this.code = code;
            this.running = running;
        }
    }

    private record Execution(
            Model model, NeffBehaviour behaviour, @Nullable Duration time, long events) {}

    RuntimeClient(FakeNeuronHost host, FakeProcess process, int logicalCoreSize) {
        this.host = host;
        this.runtime = host.runtime();
        this.process = process;
        this.logicalCoreSize = logicalCoreSize;
    }

    /**
     * Returns the properties of the process.
     *
     * @return the words {@code cores N lnc N memory BYTES devices N strict 0 places N N ...}: the number of logical cores, their size, the
     *     device memory of each, the number of devices of the host, the strict mode (1 aborts a program that breaks a contract), and the
     *     index of each physical core on its device
     */
    String facts() {
        String places = process.cores().stream()
                .map(core -> Integer.toString(core.index()))
                .collect(Collectors.joining(" "));
        return "cores " + process.cores().size() / logicalCoreSize + " lnc " + logicalCoreSize + " memory "
                + runtime.coreMemory() * logicalCoreSize + " devices "
                + host.devices().size() + " strict " + (runtime.isStrict() ? 1 : 0) + " places " + places;
    }

    private List<FakeCore> physical(int logicalCore, int count) {
        long from = (long) logicalCore * logicalCoreSize;
        long to = from + (long) count * logicalCoreSize;
        if (logicalCore < 0 || count < 1 || to > process.cores().size()) {
            throw new IllegalArgumentException(
                    process + " has " + process.cores().size() / logicalCoreSize + " logical cores, so there are no "
                            + count + " from " + logicalCore + " on");
        }
        return process.cores().subList((int) from, (int) to);
    }

    // ---- models

    /**
     * Loads a model.
     *
     * @param logicalCore the first logical core
     * @param count the number of logical cores
     * @param workers the number of workers in its collectives
     * @param file the file with the NEFF, which is deleted
     * @return the status; after {@code 0} follow the words for the model, its code and its tensors, after another status the reason
     * @throws IOException when the file cannot be deleted
     */
    String load(int logicalCore, int count, int workers, String file) throws IOException {
        Path path = runtime.exchange().given(file);
        Neff neff;
        byte[] content;
        try {
            neff = Neff.read(path);
            content = Files.readAllBytes(path);
        } catch (Neff.UnsupportedVersion version) {
            return refusal(
                    NrtStatus.NRT_UNSUPPORTED_NEFF_VERSION, "the NEFF has another version than this library reads");
        } catch (EOFException cut) {
            return refusal(NrtStatus.NRT_INVALID, "the NEFF is cut: " + cut.getMessage());
        } catch (IOException wrong) {
            return refusal(NrtStatus.NRT_INVALID, "the NEFF cannot be read: " + Reason.of(wrong));
        } finally {
            Files.deleteIfExists(path);
        }
        List<FakeCore> cores = physical(logicalCore, count);
        NeffBehaviour behaviour = runtime.behaviour(neff.name(), false);
        NrtStatus scripted = behaviour.loadStatus;
        if (scripted != null && scripted != NrtStatus.NRT_SUCCESS) {
            return refusal(scripted, "Failed to load " + neff.name());
        }
        if (neff.lnc() != logicalCoreSize) {
            return refusal(
                    NrtStatus.NRT_FAILURE,
                    neff.name() + " was compiled for logical cores of size " + neff.lnc()
                            + ", those of this process have size " + logicalCoreSize
                            + ": set NEURON_LOGICAL_NC_CONFIG=" + neff.lnc() + " or compile with --lnc "
                            + logicalCoreSize);
        }
        int requiredWorkers = neff.model().workers();
        if (requiredWorkers > Math.max(workers, process.cores().size() / logicalCoreSize)) {
            return refusal(
                    NrtStatus.NRT_LOAD_NOT_ENOUGH_NC,
                    neff.name() + " needs " + requiredWorkers + " logical cores, there are "
                            + process.cores().size() / logicalCoreSize);
        }
        try {
            behaviour.check(neff);
        } catch (IllegalArgumentException wrong) {
            return refusal(NrtStatus.NRT_FAILURE, wrong.getMessage());
        }
        String tensors = tensors(neff.model());
        List<FakeAllocation> code =
                cores.stream().map(core -> process.load(core, neff.bytes())).toList();
        long id = ++last;
        LoadedModel loaded = new LoadedModel(neff.name(), cores.get(0).state(), neff.bytes(), new AtomicInteger());
        process.models().put(id, loaded);
        models.put(id, new Model(neff, content, cores, logicalCore, code, loaded.running()));
        return "0 " + id + " " + (neff.bytes() + PAGE - 1) / PAGE * PAGE * logicalCoreSize + tensors;
    }

    private static String refusal(NrtStatus status, String reason) {
        return status.code() + " " + CommandSession.escaped(reason);
    }

    private static String tensors(NeffModel model) {
        Map<String, NeffTensor> inputs = model.inputs();
        if (inputs == null) {
            return " 0 0";
        }
        return " 1 " + (inputs.size() + model.outputs().size()) + words("i", inputs) + words("o", model.outputs());
    }

    private static String words(String usage, Map<String, NeffTensor> tensors) {
        StringBuilder words = new StringBuilder();
        tensors.forEach((name, tensor) -> {
            int dtype =
                    tensor.dtype().isEmpty() ? 0 : Element.named(tensor.dtype()).code();
            words.append(" %s %s %s %s"
                    .formatted(usage, tensor.bytes(), dtype, tensor.shape().size()));
            tensor.shape().forEach(dimension -> words.append(' ').append(dimension));
            words.append(' ').append(escaped(name));
        });
        return words.toString();
    }

    /** Returns the name as one word of a line, in the form that the library reads. */
    private static String escaped(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * Unloads a model.
     *
     * @param model the number of the model
     * @throws IllegalArgumentException when there is no such model
     */
    void unload(long model) {
        model(model).code.forEach(process::free);
        models.remove(model);
        process.models().remove(model);
    }

    private Model model(long id) {
        return require(models, id, "model");
    }

    private <T> T require(Map<Long, T> all, long id, String kind) {
        T entry = all.get(id);
        if (entry == null) {
            throw new IllegalArgumentException(process + " has no " + kind + " " + id);
        }
        return entry;
    }

    // ---- tensors

    /**
     * Allocates a tensor in device memory or in host memory.
     *
     * @param logicalCore the logical core; its first physical core counts the memory
     * @param device true for device memory
     * @param bytes the size in bytes
     * @return the number of the tensor
     */
    long allocate(int logicalCore, boolean device, long bytes) {
        FakeCore core = physical(logicalCore, 1).get(0);
        tensors.put(
                ++last,
                device ? process.allocate(core, "tensors", bytes) : process.allocateHost(core, "tensors", bytes));
        return last;
    }

    /**
     * Frees a tensor.
     *
     * @param tensor the number of the tensor
     * @throws IllegalArgumentException when there is no such tensor
     */
    void free(long tensor) {
        FakeAllocation allocation = require(tensors, tensor, "tensor");
        tensors.remove(tensor);
        process.free(allocation);
    }

    // ---- executions

    /**
     * Begins an execution. It ends at once if it has no events, no outputs and no duration.
     *
     * @return six words: the number of the execution, its duration in nanoseconds (-1 for endless), its status, and three files: events,
     *     outputs and lines of the runtime. A file is {@code -} for none, and that of the outputs is {@code compute} if inputs are needed.
     *     The words follow {@code done} if the execution has ended.
     * @throws IOException when a file cannot be written
     */
    String begin(long model) throws IOException {
        Model executed = model(model);
        NeffBehaviour behaviour = runtime.behaviour(executed.neff.name(), true);
        List<Event> events = behaviour.events.stream()
                .map(event -> event.apply(executed.logicalCore))
                .toList();
        Map<String, NeffOutput> outputs = behaviour.outputs;
        boolean computed = outputs.values().stream().anyMatch(NeffOutput::needsInputs);
        String outputFile = outputs.isEmpty() ? NO_FILE : computed ? COMPUTE : give(behaviour, executed.neff, Map.of());
        String logFile = log(executed, model, behaviour);
        String eventFile = events.isEmpty() ? NO_FILE : runtime.exchange().giveEvents(events);
        Duration time = time(executed, behaviour);
        long id = ++last;
        executed.running.incrementAndGet();
        executions.put(
                id,
                new Execution(
                        executed,
                        behaviour,
                        time,
                        events.stream().mapToLong(Event::times).sum()));
        long nanoseconds = behaviour.hangs ? -1 : time == null ? 0 : time.toNanos();
        String plan = id + " " + nanoseconds + " " + behaviour.status().code() + " " + eventFile + " " + outputFile
                + " " + logFile;
        if (nanoseconds != 0 || !events.isEmpty() || !outputs.isEmpty()) {
            return plan;
        }
        end(id, behaviour.status().code());
        return "done " + plan;
    }

    private String log(Model model, long id, NeffBehaviour behaviour) throws IOException {
        ExecutionFault fault = behaviour.fault;
        if (fault == null) {
            return NO_FILE;
        }
        List<String> lines =
                fault.lines(model.cores.get(0), model.neff.name(), id, model.logicalCore, behaviour.status());
        return runtime.exchange().giveBytes((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable Duration time(Model model, NeffBehaviour behaviour) {
        Duration scripted = behaviour.latency;
        long picoseconds = model.neff.model().picoseconds();
        return scripted != null || picoseconds == 0 ? scripted : Duration.ofNanos(picoseconds / PICO);
    }

    /**
     * Computes the outputs of an execution.
     *
     * @param file the file with the inputs, which is deleted
     * @return the file with the outputs
     * @throws IOException when a file cannot be read or written
     * @throws IllegalArgumentException when a script fails
     */
    String compute(long execution, String file) throws IOException {
        Execution computing = require(executions, execution, "execution");
        Map<String, byte[]> inputs = runtime.exchange().takeTensors(file);
        return give(computing.behaviour(), computing.model().neff, inputs);
    }

    private String give(NeffBehaviour behaviour, Neff neff, Map<String, byte[]> inputs) throws IOException {
        return runtime.exchange().giveTensors(behaviour.contents(neff, inputs), behaviour.partial());
    }

    /**
     * Ends an execution.
     *
     * @param code the status code
     * @throws IllegalArgumentException when there is no such execution
     */
    void end(long execution, int code) {
        Execution ended = require(executions, execution, "execution");
        executions.remove(execution);
        Model model = ended.model();
        model.running.decrementAndGet();
        NrtStatus status = NrtStatus.of(code);
        Duration time = ended.time() == null ? FakeProcess.TIME : ended.time();
        model.cores.forEach(core -> process.execute(core, status, 1, FakeProcess.MACS, time));
        ExecutionFault fault = ended.behaviour().fault;
        if (fault != null) {
            fault.happensOn(model.cores.get(0));
        }
        inspect(model, ended, status);
        model.executions++;
        latest.put(model.logicalCore, new Done(model, model.executions, ended.time()));
        if (model.traced && model.tracedExecution == 0) {
            model.tracedExecution = model.executions;
            model.tracedTime = ended.time();
        }
        long events = ended.events();
        runtime.executed(line(model, status) + ", " + events + (events == 1 ? " event" : " events"));
    }

    /**
     * Counts an execution that is refused before it begins.
     *
     * @param code the status code
     */
    void refused(long model, int code) {
        Model refused = model(model);
        NrtStatus status = NrtStatus.of(code);
        refused.cores.forEach(core -> process.execute(core, status, 1, 0, Duration.ZERO));
        runtime.executed(line(refused, status) + ", not begun");
    }

    private String line(Model model, NrtStatus status) {
        return model.neff.name() + " on "
                + model.cores.stream().map(FakeCore::toString).collect(Collectors.joining(" ")) + " by " + process
                + ": " + status;
    }

    private void inspect(Model model, Execution ended, NrtStatus status) {
        InspectOutput output = inspected;
        if (output == null) {
            return;
        }
        if (status == NrtStatus.NRT_SUCCESS) {
            Neff timed = ended.time() == null ? model.neff : model.neff.taking(ended.time());
            output.executed(timed, () -> model.file, model.logicalCore, 1);
        } else {
            output.failed(model.neff, () -> model.file, model.logicalCore);
        }
    }

    // ---- traces

    /**
     * Starts to collect the profiles that the variables of the process ask for.
     *
     * @param variables the variables by their full names
     */
    void inspect(Map<String, String> variables) {
        Call call = Call.parse(host.profiler().begin(Effect.Stage.CAPTURE, "nrt_inspect_begin"));
        inspected = new InspectOutput(
                variables,
                call,
                process.pid(),
                process.cores().size() / logicalCoreSize,
                core -> physical(core, 1).stream().map(FakeCore::toString).toList());
    }

    /**
     * Ends the collection.
     *
     * @return the folder of the process, followed by a name and the file with its content for each profile
     * @throws IOException when a file cannot be written
     * @throws IllegalStateException when nothing is collected
     */
    String inspected() throws IOException {
        InspectOutput output = inspected;
        if (output == null) {
            throw new IllegalStateException(process + " collects no profiles");
        }
        inspected = null;
        StringBuilder words = new StringBuilder(output.folder());
        for (Map.Entry<String, byte[]> file : output.files().entrySet()) {
            words.append(' ')
                    .append(file.getKey())
                    .append(' ')
                    .append(runtime.exchange().giveBytes(file.getValue()));
        }
        return words.toString();
    }

    /** Starts to trace the executions of a model. */
    void trace(long model) {
        Model traced = model(model);
        traced.traced = true;
        traced.tracedExecution = 0;
    }

    /**
     * Stops to trace a model.
     *
     * @return the file with the NTFF of the first execution since the start of the trace
     * @throws IOException when it cannot be written
     * @throws IllegalStateException when there was no execution
     */
    String traced(long model) throws IOException {
        Model traced = model(model);
        traced.traced = false;
        if (traced.tracedExecution == 0) {
            throw new IllegalStateException(traced.neff.name() + " was not executed while it was profiled");
        }
        return trace(new Done(traced, traced.tracedExecution, traced.tracedTime));
    }

    /**
     * Writes a trace of the last execution on a logical core.
     *
     * @return the file with the NTFF
     * @throws IOException when it cannot be written
     * @throws IllegalStateException when there was no execution
     */
    String latest(int logicalCore) throws IOException {
        Done done = latest.get(logicalCore);
        if (done == null) {
            throw new IllegalStateException("nothing was executed on logical core " + logicalCore);
        }
        return trace(done);
    }

    private String trace(Done done) throws IOException {
        Neff neff = done.model().neff;
        String call = host.profiler().begin(Effect.Stage.CAPTURE, "nrt_profile " + escaped(neff.name()));
        List<String> cores = done.model().cores.stream()
                .limit(logicalCoreSize)
                .map(FakeCore::toString)
                .toList();
        return runtime.exchange().giveBytes(RuntimeTrace.of(neff, cores, call, done.time(), done.execution()));
    }
}
