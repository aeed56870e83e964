package dev.neurontest.internal.open;

import dev.neurontest.counter.CounterDiff;
import dev.neurontest.device.DeviceHealth;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.device.ProcessOwner;
import dev.neurontest.device.ResetState;
import dev.neurontest.internal.counter.CounterRecorder;
import dev.neurontest.internal.counter.SettleOptions;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.lease.DeviceFault;
import dev.neurontest.internal.lease.DeviceReading;
import dev.neurontest.internal.lease.FreeingCommand;
import dev.neurontest.internal.lease.HealthCheck;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.Quarantine.Until;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A health check of quarantined cores. A core is well if no timed-out body still runs on it, the device is ready, its counters are quiet,
 * and the condition that ends its quarantine is met. A device that needs a reset is reset here, if that is allowed. The driver ignores a
 * reset while a process has the device open.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CoreHealth implements HealthCheck {

    /** Timeout for a reset; a Trn2 may take up to 480 s. */
    private static final Duration LONGEST_RESET = Duration.ofMinutes(10);

    private final CounterScopes counters;
    private final SettleOptions settling;
    private final boolean resets;
    private final Map<NeuronCore, Supplier<Optional<Thread>>> abandoned = new ConcurrentHashMap<>();

    /** Creates a health check that resets devices only if that is allowed. */
    CoreHealth(CounterScopes counters, SettleOptions settling, boolean resets) {
        this.counters = counters;
        this.settling = settling;
        this.resets = resets;
    }

    /** Records that JUnit has given up a body that may still use these cores. */
    public void abandon(Collection<NeuronCore> cores, Supplier<Optional<Thread>> body) {
        cores.forEach(core -> abandoned.put(core, body));
    }

    @Override
    public Optional<String> trouble(NeuronCore core, Quarantine why) {
        try {
            return running(core)
                    .or(() -> unchanged(core, why))
                    .or(() -> unready(core.device()))
                    .or(() -> moving(core))
                    .or(() -> needsReset(core.device(), why) ? unreset(core.device()) : Optional.empty());
        } catch (NeuronSysfsException unreadable) {
            return Optional.of("its state cannot be read: " + unreadable.getMessage());
        }
    }

    /** Returns what a person has to do first; empty if that is done or nothing has to be done. */
    private Optional<String> unchanged(NeuronCore core, Quarantine why) {
        NeuronDevice device = core.device();
        DeviceReading then = why.device();
        DeviceReading now = DeviceReading.of(device);
        return switch (why.until()) {
            case PROCESSES_END, IDLE, RESET -> Optional.empty();
            case WELL -> isNew(then, now) ? Optional.empty() : then.riseIn(now).or(() -> open(device, why.pid()));
            case RELOAD ->
                isNew(then, now)
                        ? Optional.empty()
                        : Optional.of(
                                then.driver().isPresent() && now.driver().isPresent()
                                        ? "the driver has not been reloaded since"
                                        : "whether the driver was reloaded cannot be read; " + byHand(core));
            case REPLACED ->
                then.isReplacedIn(now)
                        ? Optional.empty()
                        : Optional.of(
                                then.serialNumber().isPresent()
                                                && now.serialNumber().isPresent()
                                        ? "it is still the device with serial number "
                                                + now.serialNumber().orElseThrow()
                                        : "whether %s was replaced is unknown, because its serial number cannot be read; %s"
                                                .formatted(device.name(), byHand(core)));
        };
    }

    private static String byHand(NeuronCore core) {
        return "when %s is healthy, this frees the core: %s"
                .formatted(core.device().name(), FreeingCommand.of(core));
    }

    /** Returns whether the device was replaced, or the driver was reloaded, which resets its devices. */
    private static boolean isNew(DeviceReading then, DeviceReading now) {
        return then.isReplacedIn(now) || then.isReloadedIn(now);
    }

    private static boolean needsReset(NeuronDevice device, Quarantine why) {
        return why.until() == Until.RESET && !isNew(why.device(), DeviceReading.of(device));
    }

    /**
     * Returns why the device is still open in a process. A runtime with a fatal status cannot be trusted any more, and neither can a core
     * that it still holds.
     */
    private static Optional<String> open(NeuronDevice device, long pid) {
        return device.host().owners(device).stream()
                .filter(owner -> owner.pid() == pid)
                .findFirst()
                .map(owner -> "%s still has %s open".formatted(owner, device.name()));
    }

    @Override
    public boolean heals() {
        return resets;
    }

    private Optional<String> running(NeuronCore core) {
        Optional<Thread> thread = Optional.ofNullable(abandoned.get(core)).flatMap(Supplier::get);
        if (thread.isEmpty()) {
            abandoned.remove(core);
        }
        return thread.map(running -> "thread \"%s\" still runs".formatted(running.getName()));
    }

    /** Returns why no test may begin on a device: the driver reports it as broken, or its health cannot be read. */
    public static Optional<DeviceFault> broken(NeuronDevice device) {
        try {
            Optional<String> broken = device.broken();
            if (broken.isEmpty()) {
                return Optional.empty();
            }
            String components = broken.get();
            return Optional.of(new DeviceFault(untilWithout(components), broken(device.name(), components)));
        } catch (NeuronSysfsException unreadable) {
            return Optional.of(new DeviceFault(
                    Until.RESET,
                    "the health of %s cannot be read: %s".formatted(device.name(), unreadable.getMessage())));
        }
    }

    /** Returns what ends the quarantine of a device with broken components. A device that does not answer might recover. */
    public static Until untilWithout(String components) {
        return components.contains("device_unreachable") ? Until.RESET : Until.REPLACED;
    }

    /** Describes the components that the driver reports as broken. */
    public static String broken(String device, String components) {
        return "the driver reports %s of %s as broken".formatted(components, device);
    }

    /** Returns why a device cannot be used at the moment. */
    public static Optional<String> unready(NeuronDevice device) {
        Optional<ResetState> state = resetState(device);
        if (state.isPresent() && state.get() != ResetState.READY) {
            return Optional.of(
                    state.get() == ResetState.FAILED
                            ? "the last reset of %s failed; reload the driver".formatted(device.name())
                            : device.name() + " is being reset");
        }
        DeviceHealth health = device.health();
        return switch (health.state()) {
            case UNHEALTHY -> Optional.of(broken(device.name(), String.join(", ", health.unhealthyComponents())));
            case UNREACHABLE -> Optional.of("the driver cannot reach " + device.name());
            case HEALTHY, UNREPORTED -> Optional.empty();
        };
    }

    private Optional<String> moving(NeuronCore core) {
        CounterDiff diff =
                CounterRecorder.start(counters.of(List.of(core)), settling).stop();
        return diff.settled() ? Optional.empty() : Optional.of("its counters still change");
    }

    private Optional<String> unreset(NeuronDevice device) {
        if (!resets) {
            return Optional.of(
                    "only a reset of %s shows whether it is healthy again; allow resets".formatted(device.name())
                            + " with neuron.test.quarantine.reset=true");
        }
        List<ProcessOwner> owners = device.host().owners(device);
        if (!owners.isEmpty()) {
            return Optional.of("%s cannot be reset while it is open in %s"
                    .formatted(
                            device.name(),
                            owners.stream().map(ProcessOwner::toString).collect(Collectors.joining(", "))));
        }
        return reset(device);
    }

    private Optional<String> reset(NeuronDevice device) {
        CounterRecorder requests = CounterRecorder.start(counters.of(device.cores()), settling);
        try {
            device.host().tree().write(device.place("reset"), "1".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException | NeuronSysfsException refused) {
            return Optional.of("%s could not be reset, which requires root: %s".formatted(device.name(), refused));
        }
        try {
            Awaitility.await()
                    .pollInSameThread()
                    .dontCatchUncaughtExceptions()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(10))
                    .atMost(LONGEST_RESET)
                    .until(() -> resetState(device)
                            .filter(ResetState.RESETTING::equals)
                            .isEmpty());
        } catch (ConditionTimeoutException late) {
            return Optional.of("the reset of %s did not end within %s".formatted(device.name(), LONGEST_RESET));
        }
        // The write succeeds even if the driver ignores the reset.
        boolean accepted = requests.stop().each("reset_req_count").stream()
                .allMatch(change -> change.delta().signum() > 0);
        return accepted
                ? unready(device)
                : Optional.of("the driver ignored the reset of %s: a process that this user cannot see has it open"
                        .formatted(device.name()));
    }

    /** Returns the reset state. Only root can read it; for other users it is empty and the health reported by the device decides. */
    private static Optional<ResetState> resetState(NeuronDevice device) {
        try {
            return device.resetState();
        } catch (NeuronSysfsException unreadable) {
            if (unreadable.getCause() instanceof AccessDeniedException) {
                return Optional.empty();
            }
            throw unreadable;
        }
    }
}
