package dev.neurontest.internal.participant.counter;

import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.counter.HostState;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.device.kernel.KernelLine;
import dev.neurontest.internal.device.kernel.KernelLog;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.participant.Participant;
import dev.neurontest.internal.thread.Uninterrupted;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The error counters and the kernel log of the whole host, at the start and at the end of this JVM's run. Changes between tests, or on
 * devices without a test, are in no test's difference.
 *
 * <p>At the start, another thread reads them while the first test begins. The kernel log and the devices of a test are read before its body,
 * and all is recorded before the first test is judged.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HostErrors implements Participant {

    private final NeuronHost host;
    private final CounterScopes counters;
    private final KernelLog kernelLog;
    private final RunFile runFile;
    private @Nullable Reading firstReading;
    private @Nullable Thread thread;

    /**
     * Creates the errors of a host without reading them.
     *
     * @param counters the counters of the host
     */
    public HostErrors(NeuronHost host, CounterScopes counters, KernelLog kernelLog, RunFile runFile) {
        this.host = host;
        this.counters = counters.errors();
        this.kernelLog = kernelLog;
        this.runFile = runFile;
    }

    /** Begins to read the errors at the start in another thread, which records them. */
    public void readStart() {
        Reading reading = new Reading();
        Thread reader = new Thread(() -> reading.record(RunEvent.Moment.START), "neuron-test-host-errors");
        reader.setDaemon(true);
        reader.start();
        firstReading = reading;
        thread = reader;
    }

    /** Reads the kernel log and the errors of the devices of these cores at the start, unless they have been read. */
    public void readFirst(List<NeuronCore> cores) {
        if (firstReading != null) {
            firstReading.readFirst(cores);
        }
    }

    /** Waits until the errors at the start are recorded. */
    public void awaitStart() {
        Thread reader = thread;
        if (firstReading != null && reader != null && reader.isAlive()) {
            firstReading.help();
            Uninterrupted.get(() -> {
                reader.join();
                return true;
            });
        }
    }

    /** Waits until the errors at the start are recorded. */
    @Override
    public void settle() {
        awaitStart();
    }

    @Override
    public boolean settlesLast() {
        return true;
    }

    /** Reads and records the errors at the end. */
    public void readEnd() {
        awaitStart();
        new Reading().record(RunEvent.Moment.END);
    }

    /**
     * The errors of a device.
     *
     * @param counters the error counters; empty for those that cannot be read
     * @param state the identities of the directories of the device and of the kernel module, and the broken components
     * @param doubts the reasons why errors could be missed
     */
    private record DeviceErrors(Map<String, Optional<BigInteger>> counters, HostState state, List<String> doubts) {}

    /** One reading of the host. Each of its parts is read by the thread that needs it first. */
    private final class Reading {

        private final FutureTask<Map<String, String>> log = new FutureTask<>(this::log);
        private final SortedMap<Integer, FutureTask<DeviceErrors>> devices = new TreeMap<>();

        Reading() {
            for (NeuronDevice device : host.devices()) {
                if (!device.cores().isEmpty()) {
                    devices.put(device.index(), new FutureTask<>(() -> read(device)));
                }
            }
        }

        void readFirst(List<NeuronCore> cores) {
            await(log);
            for (NeuronCore core : cores) {
                FutureTask<DeviceErrors> device = devices.get(core.device().index());
                if (device != null) {
                    await(device);
                }
            }
        }

        /** Reads the devices on this thread too, from the last to the first. */
        void help() {
            List<FutureTask<DeviceErrors>> remaining = new ArrayList<>(devices.values());
            Collections.reverse(remaining);
            for (FutureTask<DeviceErrors> device : remaining) {
                device.run();
            }
        }

        void record(RunEvent.Moment moment) {
            Map<String, String> lines = Map.of();
            Map<String, Optional<BigInteger>> values = new LinkedHashMap<>();
            SortedMap<String, String> identities = new TreeMap<>();
            SortedMap<String, String> unhealthy = new TreeMap<>();
            List<String> doubts = new ArrayList<>();
            try {
                lines = result(log);
                for (FutureTask<DeviceErrors> device : devices.values()) {
                    DeviceErrors errors = result(device);
                    values.putAll(errors.counters);
                    identities.putAll(errors.state.identities());
                    unhealthy.putAll(errors.state.unhealthy());
                    doubts.addAll(errors.doubts);
                }
                counters.addIdentities(identities);
            } catch (RuntimeException unreadable) {
                // The report detects that no counters were read.
                runFile.append(new RunEvent.HostErrors(moment, Map.of(), Map.of(), Map.of(), lines));
                notice(moment, String.valueOf(unreadable.getMessage()));
                return;
            }
            runFile.append(new RunEvent.HostErrors(moment, values, identities, unhealthy, lines));
            if (!doubts.isEmpty()) {
                notice(moment, doubts.get(0));
            }
        }

        /** Runs a task, or waits for the thread that runs it. */
        private <T> void await(FutureTask<T> task) {
            task.run();
            if (!task.isDone()) {
                try {
                    Uninterrupted.get(task::get);
                } catch (ExecutionException failed) {
                    // The recording thread reports it.
                }
            }
        }

        private <T> T result(FutureTask<T> task) {
            await(task);
            try {
                return task.get();
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof RuntimeException unreadable) {
                    throw unreadable;
                }
                throw new IllegalStateException(failed.getCause());
            } catch (InterruptedException never) {
                throw new IllegalStateException(never);
            }
        }

        private DeviceErrors read(NeuronDevice device) {
            CounterScope scope = counters.of(device.cores());
            CounterSnapshot snapshot = CounterSnapshot.of(scope);
            return new DeviceErrors(snapshot.errors(), snapshot.state(), scope.doubts());
        }

        /** Returns the kernel log lines with the serial number of a device, by device name and position. */
        private Map<String, String> log() {
            Map<String, String> lines = new LinkedHashMap<>();
            for (KernelLine line : kernelLog.read()) {
                Optional<NeuronDevice> device = kernelLog.device(line);
                if (device.isPresent()) {
                    lines.put(
                            device.get().name() + " kernel log " + line.position(),
                            kernelLog.isAttributed(line) ? "" : line.shown());
                }
            }
            return lines;
        }

        private void notice(RunEvent.Moment moment, String reason) {
            runFile.append(new RunEvent.Noticed(
                    null,
                    "At the %s of the run, some error counters of the host are unknown, so errors may be missed: %s"
                            .formatted(moment == RunEvent.Moment.START ? "start" : "end", reason)));
        }
    }
}
