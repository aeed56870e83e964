package dev.neurontest.internal.lifecycle.lease;

import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.lease.CoresQuarantinedException;
import dev.neurontest.internal.lease.DeviceFault;
import dev.neurontest.internal.lease.ImpossibleRequestException;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.Leases;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A service that waits for cores and records each lease in the run file.
 *
 * @param timeout the longest wait
 * @param broken returns why a device must not be used
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record TestLeases(RunFile runFile, Duration timeout, Function<NeuronDevice, Optional<DeviceFault>> broken) {

    /**
     * Waits for cores.
     *
     * @throws RuntimeException if they cannot be leased; then nothing is leased
     */
    public TestLease take(Leases table, TestId test, LeaseRequest request) {
        return take(table, test, request, null);
    }

    /**
     * Waits for cores.
     *
     * @throws RuntimeException if they cannot be leased; then nothing is leased
     */
    public TestLease take(Leases table, TestId test, LeaseRequest request, @Nullable Runnable whenClosed) {
        runFile.append(new RunEvent.Requested(test, request.description()));
        try {
            Lease lease = healthy(table, request, timeout);
            runFile.append(new RunEvent.Leased(test, TestLease.names(lease.cores()), lease.waited()));
            return new TestLease(runFile, table, test, request, lease, System.nanoTime(), whenClosed);
        } catch (LeaseTimeoutException late) {
            runFile.append(new RunEvent.WaitedInVain(test, late.waited()));
            throw late;
        } catch (InterruptedException interrupted) {
            throw interrupted(test, interrupted);
        }
    }

    /** Leases cores only if they are free, without waiting. */
    public Optional<TestLease> takeIfFree(Leases table, TestId test, LeaseRequest request) {
        try {
            Lease lease = healthy(table, request, Duration.ZERO);
            runFile.append(new RunEvent.Requested(test, request.description()));
            runFile.append(new RunEvent.Leased(test, TestLease.names(lease.cores()), lease.waited()));
            return Optional.of(new TestLease(runFile, table, test, request, lease, System.nanoTime(), null));
        } catch (LeaseTimeoutException | CoresQuarantinedException | ImpossibleRequestException notNow) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            throw interrupted(test, interrupted);
        }
    }

    private static IllegalStateException interrupted(TestId test, InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return new IllegalStateException(test.name() + " was interrupted while it waited for cores", interrupted);
    }

    /**
     * Leases healthy cores without recording it. Cores of a broken device go into quarantine, and other cores are leased instead.
     *
     * @throws InterruptedException if the thread is interrupted during the wait; then no core was leased
     * @throws RuntimeException if they cannot be leased; then nothing is leased
     */
    public Lease healthy(Leases table, LeaseRequest request, Duration atMost) throws InterruptedException {
        while (true) {
            Lease lease = table.lease(request, atMost);
            Set<NeuronDevice> devices = new LinkedHashSet<>();
            for (NeuronCore core : lease.cores()) {
                devices.add(core.device());
            }
            Map<NeuronDevice, DeviceFault> faults = new LinkedHashMap<>();
            for (NeuronDevice device : devices) {
                @Nullable DeviceFault fault = broken.apply(device).orElse(null);
                if (fault != null) {
                    faults.put(device, fault);
                }
            }
            if (faults.isEmpty()) {
                return lease;
            }
            try (lease) {
                faults.forEach((device, fault) -> lease.quarantine(
                        lease.cores().stream()
                                .filter(core -> core.device().equals(device))
                                .toList(),
                        fault.until(),
                        fault.reason()));
            }
        }
    }
}
