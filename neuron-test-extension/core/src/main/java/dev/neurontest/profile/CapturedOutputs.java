package dev.neurontest.profile;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.file.InputFile;
import dev.neurontest.internal.output.OutputCollector;
import dev.neurontest.internal.output.OutputOrigin;
import dev.neurontest.internal.output.OutputTensor;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.tensor.TensorBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The outputs of the executions of a capture, for the collector of a test. */
final class CapturedOutputs {

    private static final String SINGLE_IO = "--single-io";
    private static final Set<String> SAVING = Set.of("--save-output", "--save-output-npy", "--save-nth-output");
    private static final String BUFFER = "the profiler tool allocates its buffer";
    private static final String OTHER_RANKS = "the other ranks";

    private final OutputCollector collector;
    private final NeffCapture capture;
    private final TracePlan plan;

    CapturedOutputs(OutputCollector collector, NeffCapture capture, TracePlan plan) {
        this.collector = collector;
        this.capture = capture;
        this.plan = plan;
    }

    /** Returns whether the tool has to save outputs: if the test has expectations of them, or inputs other than zeros. */
    private boolean isWanted() {
        return collector.isCollecting() && (collector.fillsEach() || !capture.inputs.isEmpty());
    }

    private boolean sharesBuffer() {
        return capture.flags.contains(SINGLE_IO);
    }

    private boolean isSavedByTheTest() {
        return capture.flags.stream().anyMatch(flag -> SAVING.contains(flag.split("=", 2)[0]));
    }

    /** Returns the flags that make the tool save the outputs. */
    List<String> flags() {
        return isWanted() && !sharesBuffer() && !isSavedByTheTest() ? SavedOutput.flags(plan) : List.of();
    }

    /**
     * Collects the outputs of a capture.
     *
     * @param stdout the standard output of the tool
     * @param folder the folder of the capture
     */
    void collect(String stdout, Path folder) {
        if (!isWanted()) {
            return;
        }
        List<SavedOutput> saved = SavedOutput.in(stdout, folder, plan);
        Set<String> names = saved.stream().map(SavedOutput::name).collect(Collectors.toSet());
        Map<Integer, Long> numbers = plan.allExecutions().stream()
                .collect(Collectors.toMap(
                        execution -> execution, execution -> collector.executed(title(), place(), names, "")));
        if (sharesBuffer()) {
            notRead(place(), "all tensors share one buffer (%s), which makes outputs wrong".formatted(SINGLE_IO));
        } else if (isSavedByTheTest()) {
            notRead(place(), "the test itself sets how the tool saves outputs; leave that to @ExpectOutput");
        } else if (saved.isEmpty()) {
            notRead(place(), "the tool saved no output: see its log");
        } else {
            saved.forEach(output -> read(output, numbers.get(output.execution())));
            if (capture.cores.size() > 1) {
                notRead(OTHER_RANKS, "the tool saves the outputs of one rank");
            }
        }
    }

    private void read(SavedOutput saved, long execution) {
        OutputOrigin origin = new OutputOrigin(title(), place(), execution, saved.name(), true);
        try {
            if (collector.takes(origin, Files.size(saved.file()))) {
                collector.add(OutputTensor.ofBytes(
                        origin, TensorBytes.of(InputFile.ARRAY.read(saved.file())), BUFFER, inputs()));
            }
        } catch (IOException unreadable) {
            collector.notRead(origin, "its file cannot be read (%s)".formatted(unreadable));
        }
    }

    private void notRead(String place, String reason) {
        collector.noneRead(title(), place, plan.measuredExecutions().get(0), reason);
    }

    private String inputs() {
        return capture.inputs.isEmpty() ? OutputTensor.ZEROS : capture.inputs.toString();
    }

    private String title() {
        return String.valueOf(capture.neff.getFileName());
    }

    private String place() {
        List<NeuronCore> cores = capture.cores;
        return cores.size() == 1 ? cores.get(0).name() : "one of %s".formatted(CountText.of(cores.size(), "core"));
    }
}
