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

/** The suspicions against the cores of a test. Suspect cores are withheld from the next test. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Suspicions {

    private final TestJournal lines;
    private final TestCores cores;
    private final Set<String> reasons = new LinkedHashSet<>();
    private final List<Suspicion> all = new ArrayList<>();
    private final Set<NeuronCore> gone = new LinkedHashSet<>();

    /** Creates an object without suspicions. */
    public Suspicions(TestJournal lines, TestCores cores) {
        this.lines = lines;
        this.cores = cores;
    }

    /** Adds a suspicion and withholds its cores from other tests. */
    public void add(Suspicion suspicion) {
        gone.addAll(suspicion.gone());
        if (!suspicion.cores().isEmpty()) {
            reasons.add(suspicion.reason());
            all.add(suspicion);
            cores.quarantine(suspicion.cores(), suspicion.until(), suspicion.reason(), lines.test());
        }
    }

    /** Adds a suspicion from the driver or the kernel log. If it shows broken hardware, it also explains an ambiguous status. */
    public void addEvidence(Suspicion suspicion) {
        if (suspicion.until().compareTo(Until.RESET) >= 0) {
            explain(suspicion.cores(), suspicion.reason());
        }
        add(suspicion);
    }

    /** Removes suspicions from an ambiguous status on cores with counters that explain it. */
    public void explain(Collection<NeuronCore> explained, String cause) {
        for (Suspicion suspicion : List.copyOf(all)) {
            if (suspicion.mayBeTheProgram() && !Collections.disjoint(suspicion.cores(), explained)) {
                all.remove(suspicion);
                reasons.remove(suspicion.reason());
                cores.acquit(suspicion.cores(), suspicion.reason(), cause);
            }
        }
    }

    /** Adds a suspicion against all cores of the test. */
    public void abandoned(String reason) {
        add(Suspicion.abandoned(cores.all(), reason));
    }

    /** Ends an activity. If that fails, the activity may still use the cores, so they become suspect; judging continues. */
    public void unlessEnded(String otherwise, Runnable end) {
        try {
            end.run();
        } catch (RuntimeException failed) {
            String notice = otherwise.substring(0, 1).toUpperCase(Locale.ROOT) + otherwise.substring(1);
            lines.notice(notice + ": " + failed.getMessage());
            abandoned(otherwise);
        }
    }

    /** Returns why cores went into quarantine. */
    public List<String> reasons() {
        return List.copyOf(reasons);
    }

    /** Returns the suspicions that the kernel may have caused. */
    public List<Suspicion> perhapsOfTheKernel() {
        return all.stream().filter(Suspicion::mayBeTheKernel).toList();
    }

    /** Returns the cores of devices that no longer exist, including cores that the test did not have. */
    public Set<NeuronCore> gone() {
        return Set.copyOf(gone);
    }
}
