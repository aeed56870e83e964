package dev.neurontest;

import dev.neurontest.configuration.Setting;
import dev.neurontest.configuration.WorkloadPrints;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.evidence.TestId;
import dev.neurontest.print.ChildPrints;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.LastPrints;
import dev.neurontest.print.PrintDemand;
import dev.neurontest.print.PrintFailure;
import dev.neurontest.print.StreamTap;
import dev.neurontest.workload.WorkloadResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What kernels print while a test runs, in this JVM or in its workloads, and what is found in it. */
final class TestPrints {

    private final Session session;
    private final TestId test;
    private final PrintPlan plan;
    private final Runnable end;
    private final @Nullable ChildPrints child;
    private final LastPrints.Recorder last;
    private DevicePrints prints;

    /** Begins to collect those of this JVM. */
    TestPrints(Session session, TestId test, PrintPlan plan, TestRuntime runtime) {
        this.session = session;
        this.test = test;
        this.plan = plan;
        List<NeuronCore> all = runtime.runtime().cores();
        this.last = session.lastPrints().begin(test.id());
        StreamTap tap = runtime.streams()
                .begin(runtime.cores().stream().map(all::indexOf).toList(), this::folder, last);
        this.end = tap::close;
        this.child = null;
        this.prints = DevicePrints.of(tap, all);
    }

    /** Begins to collect those of workloads. */
    TestPrints(Session session, TestId test, PrintPlan plan, TestCores cores, Supplier<List<WorkloadResult>> ended) {
        this.session = session;
        this.test = test;
        this.plan = plan;
        this.last = session.lastPrints().begin(test.id());
        this.child = ChildPrints.open(
                session.settings().value(Setting.PRINT_WORKLOADS) == WorkloadPrints.FILES
                        ? ChildPrints.Way.FILES
                        : ChildPrints.Way.PYTHON,
                this::folder,
                session.runtime().streamOptions(),
                last);
        WorkloadFeed workloads = new WorkloadFeed(
                child,
                ended,
                plan.rules().demands().stream().map(PrintDemand::prefix).collect(Collectors.toSet()));
        this.end = workloads::close;
        this.prints = DevicePrints.of(workloads, cores.all());
    }

    private Path folder() {
        return session.runFile().folder(test);
    }

    DevicePrints prints() {
        return prints;
    }

    /** What the workloads of the test are told. */
    Map<String, String> environment() {
        return child == null ? Map.of() : child.environment(System.getenv());
    }

    /** Waits until everything is here. What comes later belongs to nobody. Nothing is kept where nobody wanted prints and none came. */
    Optional<DevicePrints> stop() {
        try {
            end.run();
        } catch (RuntimeException failed) {
            session.runFile()
                    .append(new RunEvent.Noticed(test, "Its prints may be incomplete: " + failed.getMessage()));
        }
        prints = prints.frozen();
        return Optional.of(prints)
                .filter(kept ->
                        plan.wanted() || !kept.isEmpty() || !kept.oddEvents().isEmpty());
    }

    /** They are in the run file, and need not be kept for the death of this JVM any more. */
    void recorded() {
        last.forget();
    }

    /** What a failure that says nothing of it should say: where values are not finite. */
    Optional<PrintNote> note(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        List<String> untold = prints.notFinite(any -> true).stream()
                .filter(each -> !message.contains(each))
                .toList();
        return untold.isEmpty() ? Optional.empty() : Optional.of(new PrintNote(untold));
    }

    Verdict judge() {
        PrintFailure failure = PrintFailure.judged(plan.rules(), prints);
        session.runFile().append(test, failure.judgement());
        return new Verdict(failure.judgement(), session.settings().value(Setting.PRINT_UNDECIDED), failure::toError);
    }
}
