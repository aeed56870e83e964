package dev.neurontest.internal.participant;

import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.lifecycle.lease.TestLease;
import dev.neurontest.internal.text.ListText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A participant that checks whether the test held its cores exclusively until it was judged. If the lease table was lost, another test may
 * have had them too.
 *
 * @param leniency the handling of a test if that is unknown
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record HeldCores(TestJournal lines, TestCores cores, UndecidedHandling leniency) implements Participant {

    private static final int MOST_NAMED = 8;
    private static final String RULE = "no other test has the cores";

    @Override
    public List<Verdict> judge(TestResult findings) {
        List<Verdict> verdicts = new ArrayList<>();
        for (Lease lease : cores.leases()) {
            Optional<String> doubt = lease.doubt();
            if (doubt.isPresent()) {
                verdicts.add(undecided(lease, doubt.get()));
            }
        }
        return verdicts;
    }

    private Verdict undecided(Lease lease, String reason) {
        String held = ListText.some(TestLease.names(lease.cores()), MOST_NAMED);
        return lines.undecided(
                new Undecided(RULE, held, reason),
                leniency,
                "Another test may have had %s at the same time: %s".formatted(held, reason));
    }
}
