package dev.neurontest;

import dev.neurontest.configuration.Setting;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterFailure;
import dev.neurontest.counter.CounterRecorder;
import dev.neurontest.counter.CounterRules;
import dev.neurontest.counter.CounterScope;
import dev.neurontest.counter.Counters;
import dev.neurontest.counter.Told;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.evidence.AttachmentSink;
import dev.neurontest.evidence.Outcome;
import dev.neurontest.evidence.Phase;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.evidence.TestId;
import dev.neurontest.lease.CoreRequest;
import dev.neurontest.lease.Lease;
import dev.neurontest.lease.LeaseRequest;
import dev.neurontest.recording.Expectation;
import dev.neurontest.recording.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * The life of one test: request, lease, recorders, body, settle, judge, evidence, release. A class that leases for all its
 * tests has one too, around theirs. JUnit's store closes what a test could not end itself.
 */
final class TestLife implements AutoCloseable {

    private final Session session;
    private final TestHost host;
    private final TestId test;
    private final @Nullable TestLife around;
    private final CounterRules rules;
    private final @Nullable Lease lease;
    private final Map<Slot, List<NeuronCore>> granted;
    private final List<NeuronCore> cores;
    private final Instant begun = Instant.now();

    private @Nullable CounterRecorder recorder;
    private Expectation<CounterDiff> expectation = diff -> Judgement.NOTHING;
    private @Nullable Told told;
    private Judgement judgement = Judgement.NOTHING;
    private @Nullable Throwable partFailure;
    private boolean passed;
    private boolean ended;
    private boolean released;

    /** What is asked for: whose life it is, what it is served and judged by. */
    record Plan(
            TestId test,
            Set<Slot> slots,
            Optional<Assigned> assigned,
            CounterRules rules,
            @Nullable TestLife around) {}

    private TestLife(
            Session session, TestHost host, Plan plan, @Nullable Lease lease, Map<Slot, List<NeuronCore>> granted) {
        this.session = session;
        this.host = host;
        this.test = plan.test();
        this.around = plan.around();
        this.rules = plan.rules();
        this.lease = lease;
        this.granted = granted;
        this.cores = Stream.concat(
                        lease == null ? Stream.of() : lease.cores().stream(),
                        around == null ? Stream.of() : around.cores.stream())
                .toList();
    }

    /**
     * Leases and takes the "before".
     *
     * @throws RuntimeException when that is not possible; then nothing is leased
     */
    static TestLife begin(Session session, Plan plan) {
        TestHost host = session.host();
        Map<Slot, List<NeuronCore>> granted = new LinkedHashMap<>();
        List<Slot> missing = new ArrayList<>();
        for (Slot slot : plan.slots()) {
            // A core that the class holds already cannot be leased again: whoever names it gets it from there.
            Optional<List<NeuronCore>> held = Optional.ofNullable(plan.around()).flatMap(life -> life.held(slot));
            held.ifPresentOrElse(cores -> granted.put(slot, cores), () -> missing.add(slot));
        }
        List<CoreRequest> requests = plan.assigned().isPresent()
                ? plan.assigned().stream().map(Assigned::request).toList()
                : missing.stream().map(Slot::request).toList();
        @Nullable Lease lease = requests.isEmpty() ? null : lease(session, host, plan, requests);
        TestLife life = new TestLife(session, host, plan, lease, granted);
        try {
            if (plan.assigned().isPresent()) {
                granted.putAll(plan.assigned().get().serve(missing, life.ownCores()));
            } else {
                for (int i = 0; lease != null && i < missing.size(); i++) {
                    granted.put(missing.get(i), lease.granted().get(i));
                }
            }
            life.record();
            return life;
        } catch (RuntimeException failed) {
            life.close();
            throw failed;
        }
    }

    private static Lease lease(Session session, TestHost host, Plan plan, List<CoreRequest> requests) {
        TestId test = plan.test();
        LeaseRequest request = new LeaseRequest(test.name(), requests);
        session.runFile().append(new RunEvent.Requested(test, request.description()));
        if (plan.around() != null) {
            host.leases().check(request, plan.around().cores);
        }
        try {
            Lease lease = host.leases().lease(request, session.settings().value(Setting.LEASE_TIMEOUT));
            session.runFile().append(new RunEvent.Leased(test, names(lease.cores()), lease.waited()));
            return lease;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(test.name() + " was interrupted while it waited for cores", interrupted);
        }
    }

    private void record() {
        if (cores.isEmpty()) {
            return;
        }
        phase(Phase.SETUP);
        CounterScope scope = host.counters().of(cores);
        expectation = rules.arm(scope);
        told = new Told(scope);
        recorder = CounterRecorder.start(scope, host.settling());
    }

    CounterRules rules() {
        return rules;
    }

    private List<NeuronCore> ownCores() {
        return lease == null ? List.of() : lease.cores();
    }

    /** The cores of a parameter. */
    List<NeuronCore> cores(Slot slot) {
        return Optional.ofNullable(granted.get(slot))
                .orElseThrow(() -> new IllegalArgumentException(
                        "Cores cannot be leased for this method. Take them in a test method, a constructor, @BeforeEach,"
                                + " @AfterEach, @BeforeAll or @AfterAll."));
    }

    /** The counters of the cores that this test has. */
    Counters counters() {
        return Counters.over(host.counters(), cores, host.settling());
    }

    boolean holdsCores() {
        return !cores.isEmpty();
    }

    void phase(Phase phase) {
        if (holdsCores()) {
            session.runFile().append(new RunEvent.PhaseStarted(test, phase));
        }
    }

    /** Remembers that a part of the test failed of which JUnit tells only the part itself. */
    void partFailed(Throwable failure) {
        partFailure = failure;
    }

    /** What a part of the test failed with. */
    Optional<Throwable> partFailure() {
        return Optional.ofNullable(partFailure);
    }

    /**
     * Settles, judges, keeps the evidence and releases.
     *
     * @throws AssertionError with everything that was violated
     * @throws TestAbortedException when something is undecided and that is to abort the test
     */
    void end(boolean bodyPassed, AttachmentSink junit) {
        passed = bodyPassed;
        try (this) {
            if (!ended && recorder != null && told != null) {
                CounterDiff diff = judge(recorder, told);
                phase(Phase.EVIDENCE);
                session.evidence().attach(test, passed, List.of(diff), judgement, junit);
                fail(diff);
            }
        }
    }

    private CounterDiff judge(CounterRecorder stopping, Told alreadyTold) {
        ended = true;
        phase(Phase.SETTLE);
        CounterDiff diff = stopping.stop().residual(alreadyTold);
        session.runFile().append(test, diff);
        phase(Phase.JUDGE);
        judgement = expectation.judge(diff);
        session.runFile().append(test, judgement);
        for (TestLife life = around; life != null; life = life.around) {
            life.tell(diff);
        }
        return diff;
    }

    private void tell(CounterDiff diff) {
        if (told != null) {
            told.add(diff);
        }
    }

    private void fail(CounterDiff diff) {
        if (!judgement.violations().isEmpty()) {
            throw CounterFailure.of(judgement, diff).toError();
        }
        if (!judgement.undecided().isEmpty()) {
            switch (session.settings().value(Setting.UNDECIDED)) {
                case FAIL -> throw CounterFailure.of(judgement, diff).toError();
                case ABORT ->
                    throw new TestAbortedException(
                            CounterFailure.of(judgement, diff).text());
                case PASS -> session.runFile().append(new RunEvent.Noticed(test, "passed, but " + undecided()));
            }
        }
    }

    /** Says how the test ended, when JUnit knows. What it could not give back itself is given back before. */
    void finished(Outcome junit, @Nullable String reason) {
        close();
        boolean onlyUndecided = passed
                && judgement.violations().isEmpty()
                && !judgement.undecided().isEmpty();
        session.runFile()
                .append(
                        onlyUndecided
                                ? new RunEvent.TestFinished(test, Outcome.UNDECIDED, names(cores), undecided())
                                : new RunEvent.TestFinished(test, junit, names(cores), reason));
    }

    private String undecided() {
        return judgement.undecided().stream()
                .map(each -> each.rule() + " is undecided: " + each.reason())
                .collect(Collectors.joining(" "));
    }

    /** Gives the cores back, once. A test that never came to its end is still judged in the run file. */
    @Override
    public void close() {
        if (released) {
            return;
        }
        released = true;
        try {
            if (!ended && recorder != null && told != null) {
                judge(recorder, told);
            }
        } finally {
            if (lease != null) {
                session.runFile()
                        .append(new RunEvent.Released(
                                test, names(lease.cores()), Duration.between(begun, Instant.now())));
                lease.close();
            }
        }
    }

    /** What this class, or one around it, holds of what somebody names. */
    private Optional<List<NeuronCore>> held(Slot slot) {
        NeuronHost all = host.platform().host();
        List<NeuronCore> named = new ArrayList<>();
        if (slot.request() instanceof CoreRequest.Exactly exactly) {
            exactly.indices().stream()
                    .filter(index -> index < all.cores().size())
                    .map(all.cores()::get)
                    .forEach(named::add);
        } else if (slot.request() instanceof CoreRequest.Devices devices) {
            all.devices().stream()
                    .filter(device -> devices.indices().contains(device.index()))
                    .forEach(device -> named.addAll(device.cores()));
        }
        return !named.isEmpty() && cores.containsAll(named) ? Optional.of(named) : Optional.empty();
    }

    private static List<String> names(List<NeuronCore> cores) {
        return cores.stream().map(NeuronCore::name).toList();
    }
}
