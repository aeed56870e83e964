package dev.neurontest;

import dev.neurontest.configuration.Setting;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.evidence.TestId;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.PrintFailure;
import dev.neurontest.print.StreamTap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What kernels print while a test runs, and what is found in it. */
final class TestPrints {

    private final Session session;
    private final TestId test;
    private final PrintPlan plan;
    private final @Nullable StreamTap tap;
    private DevicePrints prints;

    TestPrints(Session session, TestId test, PrintPlan plan, TestCores cores, Optional<TestRuntime> runtime) {
        this.session = session;
        this.test = test;
        this.plan = plan;
        TestRuntime printing = runtime.orElseThrow();
        List<NeuronCore> all = printing.runtime().cores();
        List<Integer> own = printing.cores().stream().map(all::indexOf).toList();
        this.tap = printing.streams().begin(own, () -> session.runFile().folder(test));
        this.prints = DevicePrints.of(tap, all);
    }

    DevicePrints prints() {
        return prints;
    }

    /** For the workloads of the test. */
    Map<String, String> environment() {
        return Map.of();
    }

    /** Waits until everything is here. What comes later belongs to nobody. */
    DevicePrints stop() {
        if (tap != null) {
            tap.close();
        }
        prints = prints.frozen();
        return prints;
    }

    Verdict judge() {
        PrintFailure failure = PrintFailure.judged(plan.rules(), prints);
        session.runFile().append(test, failure.judgement());
        return new Verdict(failure.judgement(), session.settings().value(Setting.PRINT_UNDECIDED), failure::toError);
    }
}
