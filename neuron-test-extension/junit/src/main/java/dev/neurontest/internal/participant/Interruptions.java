package dev.neurontest.internal.participant;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.device.DeviceCondition;
import dev.neurontest.internal.evidence.Interruption;
import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.ThreadDump;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/** A participant that records the state of a test whenever its timeout interrupts it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Interruptions implements Participant {

    private final TestJournal lines;
    private final List<NeuronCore> cores;
    private final Supplier<String> counters;
    private final List<Interruption> interruptions = new CopyOnWriteArrayList<>();

    /**
     * Creates a participant without interruptions.
     *
     * @param counters returns the counter changes until now
     */
    public Interruptions(TestJournal lines, List<NeuronCore> cores, Supplier<String> counters) {
        this.lines = lines;
        this.cores = List.copyOf(cores);
        this.counters = counters;
    }

    /** Records the state before a thread is interrupted, because the thread might never return. */
    public void add(Thread thread, Phase phase) {
        lines.append(new RunEvent.Interrupted(lines.test(), phase, thread.getName()));
        Interruption now = new Interruption(
                phase,
                thread.getName(),
                cores.stream()
                        .map(NeuronCore::device)
                        .distinct()
                        .map(device -> DeviceCondition.of(device).toString())
                        .toList(),
                counters.get(),
                ThreadDump.startingWith(thread));
        interruptions.add(now);
        lines.append(now);
    }

    @Override
    public List<Interruption> evidence(TestResult findings) {
        return List.copyOf(interruptions);
    }

    @Override
    public Optional<Throwable> note(Throwable failure) {
        return interruptions.stream().findFirst().map(Interruptions::note);
    }

    private static FailureNote note(Interruption interruption) {
        return new FailureNote(
                "Before the interrupt, in its %s:%n  %s%nCounters and threads of that moment are in neuron-timeout.txt."
                        .formatted(
                                interruption.phase().name().toLowerCase(Locale.ROOT),
                                String.join("%n  ".formatted(), interruption.devices())));
    }
}
