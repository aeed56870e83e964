package dev.neurontest;

import dev.neurontest.configuration.Setting;
import dev.neurontest.counter.Attribution;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterFailure;
import dev.neurontest.counter.CounterRecorder;
import dev.neurontest.counter.CounterRules;
import dev.neurontest.counter.CounterScope;
import dev.neurontest.counter.Counters;
import dev.neurontest.counter.Told;
import dev.neurontest.evidence.TestId;
import dev.neurontest.lease.Lease;
import dev.neurontest.recording.Expectation;
import dev.neurontest.recording.Judgement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the driver counted while a test ran, and what is found in it. */
final class TestCounters {

    private final Session session;
    private final TestId test;
    private final TestCores cores;
    private final CounterRules rules;
    private final Map<Lease, Long> begun;
    private final Expectation<CounterDiff> expectation;
    private final Told told;
    private final CounterRecorder recorder;

    /** Takes the "before". */
    TestCounters(Session session, TestId test, CounterRules rules, TestCores cores) {
        this.session = session;
        this.test = test;
        this.cores = cores;
        TestHost host = session.host();
        CounterScope scope = host.counters().of(cores.all());
        this.rules = rules.orAttribution(Attribution.valueOf(
                session.settings().value(Setting.ATTRIBUTION).name()));
        this.expectation = this.rules.arm(scope);
        this.told = new Told(scope);
        List<String> outsiders = cores.outsiders(host.leases());
        this.begun = cores.moments();
        this.recorder = CounterRecorder.start(scope, host.settling(), () -> neighbours(outsiders));
    }

    private List<String> neighbours(List<String> outsidersBefore) {
        return Stream.of(
                        cores.neighbours(begun),
                        outsidersBefore,
                        cores.outsiders(session.host().leases()))
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    /** For the test's own differences. */
    Counters counters() {
        TestHost host = session.host();
        return Counters.over(
                        host.counters(),
                        cores.all(),
                        host.settling(),
                        () -> cores.neighbours(begun),
                        diff -> session.runFile().append(test, diff))
                .awaiting(host.waiting().until(rules), recorder.before());
    }

    /** What has moved until now. */
    CounterDiff soFar() {
        return recorder.soFar();
    }

    /** Leaves to a test what it was told already. */
    void tell(CounterDiff part) {
        told.add(part);
    }

    /** Takes the "after". */
    CounterDiff stop() {
        CounterDiff diff = recorder.stop().residual(told);
        session.runFile().append(test, diff);
        return diff;
    }

    Verdict judge(CounterDiff diff) {
        Judgement found = expectation.judge(diff);
        session.runFile().append(test, found);
        return new Verdict(
                found,
                session.settings().value(Setting.UNDECIDED),
                () -> CounterFailure.of(found, diff).toError());
    }
}
