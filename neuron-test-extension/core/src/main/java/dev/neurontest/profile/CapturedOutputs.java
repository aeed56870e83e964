package dev.neurontest.profile;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.file.InputFile;
import dev.neurontest.internal.output.OutputCollector;
import dev.neurontest.internal.output.OutputOrigin;
import dev.neurontest.internal.output.OutputTensor;
import dev.neurontest.internal.tensor.TensorHash;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.tensor.TensorBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The outputs of the executions of a capture, for the collector of a test. */
final class CapturedOutputs {

    private static final String SINGLE_IO = "--single-io";
    private static final Set<String> SAVING = Set.of("--save-output", "--save-output-npy", "--save-nth-output");
    private static final String BUFFER = "the profiler tool allocates its buffer";
    private static final String INPUTS_OF_RANKS = "--multi-input";
    private static final String OTHER_RANKS = "the other ranks";

    private final OutputCollector collector;
    private final NeffCapture capture;
    private final TracePlan plan;

    /** Names of the outputs that the tool saved in the captures so far. */
    private final Set<String> names = new LinkedHashSet<>();

    CapturedOutputs(OutputCollector collector, NeffCapture capture, TracePlan plan) {
        this.collector = collector;
        this.capture = capture;
        this.plan = plan;
    }

    /** Returns whether the tool has to save outputs: if the test has expectations of them, or inputs other than zeros. */
    private boolean isWanted() {
        return collector.isCollecting() && (collector.fillsEach() || !hasOnlyZeros());
    }

    private boolean hasOnlyZeros() {
        return capture.inputs.isEmpty() && !hasFlag(Set.of(INPUTS_OF_RANKS));
    }

    private boolean hasFlag(Set<String> flags) {
        return capture.flags.stream().anyMatch(flag -> flags.contains(flag.split("=", 2)[0]));
    }

    private boolean sharesBuffer() {
        return hasFlag(Set.of(SINGLE_IO));
    }

    private boolean isSavedByTheTest() {
        return hasFlag(SAVING);
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
        List<SavedOutput> saved = SavedOutput.in(stdout, folder);
        Set<String> named = saved.stream().map(SavedOutput::name).collect(Collectors.toCollection(LinkedHashSet::new));
        Map<Integer, Long> numbers = plan.allExecutions().stream()
                .collect(Collectors.toMap(
                        execution -> execution, execution -> collector.executed(title(), place(), named, "")));
        if (sharesBuffer()) {
            notRead(place(), "all tensors share one buffer (%s), which makes outputs wrong".formatted(SINGLE_IO));
        } else if (isSavedByTheTest()) {
            notRead(place(), "the test itself sets how the tool saves outputs; leave that to @ExpectOutput");
        } else if (saved.isEmpty()) {
            notRead(place(), "the tool saved no output: see its log");
        } else {
            read(saved, numbers);
            if (capture.cores.size() > 1) {
                notRead(OTHER_RANKS, "the tool saves the outputs of one rank");
            }
        }
    }

    /** Reads the outputs of the measured executions, and reports those that another execution or capture has. */
    private void read(List<SavedOutput> saved, Map<Integer, Long> numbers) {
        List<Integer> measured = plan.measuredExecutions();
        saved.forEach(output -> {
            int execution = output.execution() == SavedOutput.UNKNOWN ? measured.get(0) : output.execution();
            if (measured.contains(execution)) {
                read(output, origin(output.name(), numbers.get(execution)));
            }
        });
        Set<String> added = new LinkedHashSet<>();
        saved.stream()
                .map(SavedOutput::name)
                .filter(name -> !names.contains(name))
                .forEach(added::add);
        boolean isFirstCapture = names.isEmpty();
        names.addAll(added);
        for (int execution : measured) {
            names.stream()
                    .filter(name -> saved.stream().noneMatch(output -> output.mayBe(name, execution)))
                    .forEach(name -> collector.notRead(
                            origin(name, numbers.get(execution)), "the tool did not save it after this execution"));
        }
        if (!isFirstCapture) {
            added.forEach(name -> collector.notRead(
                    origin(name, numbers.get(measured.get(0))), "the tool did not save it in each capture"));
        }
    }

    private OutputOrigin origin(String output, long execution) {
        return new OutputOrigin(title(), place(), execution, output, true);
    }

    private void read(SavedOutput saved, OutputOrigin origin) {
        if (!saved.trouble().isEmpty()) {
            collector.notRead(origin, saved.trouble());
            return;
        }
        try {
            Path file = saved.file().orElseThrow();
            long size = Files.size(file);
            if (size == 0) {
                collector.notRead(origin, "the tool saved it as an empty file");
            } else if (collector.takes(origin, size)) {
                collector.add(
                        OutputTensor.ofBytes(origin, TensorBytes.of(InputFile.ARRAY.read(file)), BUFFER, inputs()));
            }
        } catch (IOException unreadable) {
            collector.notRead(origin, "its file cannot be read (%s)".formatted(unreadable));
        }
    }

    private void notRead(String place, String reason) {
        collector.noneRead(title(), place, plan.measuredExecutions().get(0), reason);
    }

    /** Returns the identity of the inputs; empty if it is unknown or of no use. */
    private String inputs() {
        if (hasOnlyZeros()) {
            return OutputTensor.ZEROS;
        }
        if (capture.inputs.isEmpty() || !collector.comparesExecutions()) {
            return "";
        }
        TensorHash hash = new TensorHash().add(capture.neff.toString());
        try {
            for (Map.Entry<String, Path> input : capture.inputs.entrySet()) {
                hash.add(input.getKey()).add(TensorBytes.of(InputFile.ARRAY.read(input.getValue())));
            }
            return hash.text();
        } catch (IOException unreadable) {
            return "";
        }
    }

    private String title() {
        return String.valueOf(capture.neff.getFileName());
    }

    private String place() {
        List<NeuronCore> cores = capture.cores;
        return cores.size() == 1 ? cores.get(0).name() : "one of %s".formatted(CountText.of(cores.size(), "core"));
    }
}
