package dev.neurontest.examples;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;

/**
 * A program of the user that runs the model on real cores, called as {@code PROGRAM infer TIMES} and {@code PROGRAM
 * reach-out-of-bounds 1}. It finds its cores in {@code NEURON_RT_VISIBLE_CORES}.
 */
record CommandWorkload(String program, int logicalCoreSize) implements Workload {

    private static final String SETTING = "examples.workload";
    private static final long MINUTES = 10;

    static CommandWorkload configured(NeuronHost host) {
        String program = System.getProperty(SETTING);
        Assumptions.assumeTrue(
                program != null, "no program to run on the cores: set -D" + SETTING + "=/path/to/program");
        return new CommandWorkload(program, host.logicalCoreSize());
    }

    @Override
    public void infer(List<NeuronCore> cores, int times) {
        run(cores, "infer", times);
    }

    @Override
    public void reachOutOfBounds(NeuronCore core) {
        run(List.of(core), "reach-out-of-bounds", 1);
    }

    private void run(List<NeuronCore> cores, String what, int times) {
        ProcessBuilder builder = new ProcessBuilder(program, what, Integer.toString(times)).inheritIO();
        builder.environment()
                .put(
                        "NEURON_RT_VISIBLE_CORES",
                        cores.stream()
                                .map(core -> Integer.toString(core.index()))
                                .collect(Collectors.joining(",")));
        builder.environment().put("NEURON_LOGICAL_NC_CONFIG", Integer.toString(logicalCoreSize));
        try {
            Process process = builder.start();
            try {
                if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                    throw new AssertionError(program + " did not end within " + MINUTES + " minutes");
                }
                if (process.exitValue() != 0) {
                    throw new AssertionError(program + " ended with exit code " + process.exitValue());
                }
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while " + program + " ran", interrupted);
        }
    }
}
