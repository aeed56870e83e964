package dev.neurontest.internal.participant;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apiguardian.api.API;

/** What makes the cores of a test suspect when it is over. Such cores do not go to the next one. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Suspicions {

    private final TestJournal lines;
    private final TestCores cores;
    private final Set<String> reasons = new LinkedHashSet<>();
    private final List<Suspicion> all = new ArrayList<>();
    private final Set<NeuronCore> gone = new LinkedHashSet<>();

    /**
     * None yet.
     *
     * @param lines of the test
     * @param cores of the test
     */
    public Suspicions(TestJournal lines, TestCores cores) {
        this.lines = lines;
        this.cores = cores;
    }

    /** Keeps suspect cores from other tests. */
    public void add(Suspicion suspicion) {
        gone.addAll(suspicion.gone());
        if (!suspicion.cores().isEmpty()) {
            reasons.add(suspicion.reason());
            all.add(suspicion);
            cores.quarantine(suspicion.cores(), suspicion.until(), suspicion.reason(), lines.test());
        }
    }

    /** Keeps cores from other tests for what the driver or the kernel log says. Broken hardware explains what a status left open. */
    public void addEvidence(Suspicion suspicion) {
        if (suspicion.until().compareTo(Until.RESET) >= 0) {
            explain(suspicion.cores(), suspicion.reason());
        }
        add(suspicion);
    }

    /** Takes back what a status left open on cores whose counters explain it. */
    public void explain(Collection<NeuronCore> explained, String cause) {
        List.copyOf(all).stream()
                .filter(Suspicion::mayBeTheProgram)
                .filter(suspicion -> !Collections.disjoint(suspicion.cores(), explained))
                .forEach(suspicion -> {
                    all.remove(suspicion);
                    reasons.remove(suspicion.reason());
                    cores.acquit(suspicion.cores(), suspicion.reason(), cause);
                });
    }

    /** Suspects all cores of the test. */
    public void abandoned(String reason) {
        add(Suspicion.abandoned(cores.all(), reason));
    }

    /** Ends something. What cannot be ended may still use the cores; the judgement goes on. */
    public void unlessEnded(String otherwise, Runnable end) {
        try {
            end.run();
        } catch (RuntimeException failed) {
            String notice = otherwise.substring(0, 1).toUpperCase(Locale.ROOT) + otherwise.substring(1);
            lines.notice(notice + ": " + failed.getMessage());
            abandoned(otherwise);
        }
    }

    /** Why cores went into quarantine. */
    public List<String> reasons() {
        return List.copyOf(reasons);
    }

    /** Returns the statuses with their cores that the kernel may be to blame for. */
    public List<Suspicion> perhapsOfTheKernel() {
        return all.stream().filter(Suspicion::mayBeTheKernel).toList();
    }

    /** The cores of devices that are not there any more, also those that the test did not have. */
    public Set<NeuronCore> gone() {
        return Set.copyOf(gone);
    }
}
