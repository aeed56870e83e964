package dev.neurontest.internal.participant.print;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.configuration.UndecidedKind;
import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.MeasuredTest;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.participant.ParameterType;
import dev.neurontest.internal.participant.Participant;
import dev.neurontest.internal.participant.TestJournal;
import dev.neurontest.internal.participant.TestResult;
import dev.neurontest.internal.participant.UndecidedHandling;
import dev.neurontest.internal.participant.Verdict;
import dev.neurontest.internal.participant.runtime.SessionRuntime;
import dev.neurontest.internal.participant.runtime.TestRuntime;
import dev.neurontest.internal.participant.workload.TestWorkloads;
import dev.neurontest.internal.plan.PrintPlan;
import dev.neurontest.internal.print.HeldCoresFeed;
import dev.neurontest.internal.print.PrintFailure;
import dev.neurontest.internal.print.child.ChildPrints;
import dev.neurontest.internal.print.stream.PrintLog;
import dev.neurontest.internal.print.stream.StreamTap;
import dev.neurontest.internal.process.ProgramFolder;
import dev.neurontest.internal.runtime.stream.DebugStream;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.PrintExpectation;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A participant that collects and judges the prints of kernels during a test, in this JVM or in its workloads. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TestPrints implements Participant {

    private final Settings settings;
    private final TestJournal lines;
    private final PrintPlan plan;
    private final TestCores cores;
    private final Function<PrintLog, Source> way;
    private final PrintLog log;
    private @Nullable Source source;
    private @Nullable DevicePrints prints;
    private List<String> notFinite = List.of();
    private Judgement judgement = Judgement.NOTHING;

    /** A source of prints, with the action that ends it, and the environment and the folders for workloads. */
    private record Source(
            DevicePrints prints,
            Runnable end,
            UnaryOperator<Map<String, String>> environment,
            Supplier<List<ProgramFolder>> folders) {

        Source(DevicePrints prints, Runnable end, UnaryOperator<Map<String, String>> environment) {
            this(prints, end, environment, List::of);
        }
    }

    private TestPrints(
            Settings settings, TestJournal lines, PrintPlan plan, TestCores cores, Function<PrintLog, Source> way) {
        this.settings = settings;
        this.lines = lines;
        this.plan = plan;
        this.cores = cores;
        this.way = way;
        this.log = new PrintLog(lines::folder);
    }

    /** Creates a participant for the prints of the runtime in this JVM. */
    public static TestPrints ofRuntime(
            Settings settings, TestJournal lines, PrintPlan plan, TestCores cores, TestRuntime runtime) {
        return new TestPrints(settings, lines, plan, cores, log -> {
            List<NeuronCore> all = runtime.runtime().cores();
            StreamTap tap = runtime.streams()
                    .begin(runtime.cores().stream().map(all::indexOf).toList(), log);
            return new Source(DevicePrints.of(tap, all), tap::close, inherited -> Map.of());
        });
    }

    /** Creates a participant for the prints of workloads. */
    public static TestPrints ofWorkloads(
            Settings settings, TestJournal lines, PrintPlan plan, TestCores cores, TestWorkloads programs) {
        return new TestPrints(settings, lines, plan, cores, log -> {
            ChildPrints child = ChildPrints.open(
                    settings.value(Setting.PRINT_WORKLOADS),
                    lines::folder,
                    SessionRuntime.streamOptions(settings),
                    log);
            WorkloadFeed workloads =
                    new WorkloadFeed(child, programs::results, programs::startedOnDevice, prefixes(plan));
            return new Source(
                    DevicePrints.of(new HeldCoresFeed(workloads, cores.all()), cores.ofPrograms()),
                    workloads::close,
                    child::environment);
        });
    }

    /**
     * Creates a participant for the prints of programs on several hosts.
     *
     * @param held the cores on all hosts, in the order of the ranks
     */
    public static TestPrints ofCluster(
            Settings settings, TestJournal lines, PrintPlan plan, TestCores cores, List<NeuronCore> held) {
        ClusterPrints programs = new ClusterPrints(held, prefixes(plan), settings.value(Setting.PRINT_WORKLOADS));
        return new TestPrints(
                settings,
                lines,
                plan,
                cores,
                log -> new Source(
                        DevicePrints.of(programs, List.of()),
                        () -> {},
                        inherited -> Map.of(DebugStream.CAPACITY_VARIABLE, Long.toString(DebugStream.CAPACITY)),
                        () -> List.of(programs.started())));
    }

    private static Set<String> prefixes(PrintPlan plan) {
        return plan.rules().expectations().stream()
                .map(PrintExpectation::prefix)
                .collect(Collectors.toSet());
    }

    /** Returns the parameter type of the prints of a test. */
    public static ParameterType<TestPrints> parameter() {
        return new ParameterType<>(
                DevicePrints.class,
                TestPrints.class,
                "DevicePrints are available in a test method and in methods that run for each test, not for all tests of a class.",
                (prints, parameter) -> Optional.of(prints.prints()));
    }

    @Override
    public List<ProgramFolder> folders() {
        return source == null ? List.of() : source.folders().get();
    }

    @Override
    public void start() {
        source = way.apply(log);
        prints = source.prints();
    }

    /** Returns the prints of kernels while the test runs. */
    public DevicePrints prints() {
        if (prints == null) {
            throw new IllegalStateException("The prints of %s are not collected yet.".formatted(lines.name()));
        }
        return prints;
    }

    /** Returns the variables with which a workload writes its prints. */
    @Override
    public Map<String, String> environment(Map<String, String> inherited) {
        return source == null ? Map.of() : source.environment().apply(inherited);
    }

    /** Ends the collection before models are unloaded, to include the prints of a kernel that failed. Later prints belong to no test. */
    @Override
    public void settle() {
        if (source == null) {
            return;
        }
        try {
            source.end().run();
        } catch (RuntimeException failed) {
            lines.notice("Its prints may be incomplete: " + failed.getMessage());
        }
        prints = source.prints().frozen();
        kept().forEach(kept -> lines.append(measurement(kept, false)));
    }

    /** Returns the prints to keep; empty if no prints were expected and none arrived. */
    private List<DevicePrints> kept() {
        return Optional.ofNullable(prints)
                .filter(all ->
                        plan.required() || !all.isEmpty() || !all.oddEvents().isEmpty())
                .stream()
                .toList();
    }

    @Override
    public List<Verdict> judge(TestResult findings) {
        if (prints == null) {
            return List.of();
        }
        Expectation<DevicePrints> expectation =
                Expectation.of(plan.rules()::judge, plan.rules().ofAbortedBody());
        judgement = findings.judge(expectation, prints);
        PrintFailure failure = PrintFailure.of(plan.rules(), prints, judgement);
        return List.of(lines.verdict(
                failure.judgement(), UndecidedHandling.of(settings, UndecidedKind.PRINTS), failure::toError));
    }

    @Override
    public List<PrintMeasurement> evidence(TestResult findings) {
        return kept().stream()
                .map(kept -> measurement(kept, findings.passedWithFindings()))
                .toList();
    }

    private PrintMeasurement measurement(DevicePrints kept, boolean passed) {
        return new PrintMeasurement(new MeasuredTest(lines.name(), cores.names(), judgement, passed), kept);
    }

    /** Returns a note about values that are not finite, if the failure does not mention them. */
    @Override
    public Optional<Throwable> note(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        List<String> untold =
                notFinite.stream().filter(each -> !message.contains(each)).toList();
        return untold.isEmpty() ? Optional.empty() : Optional.of(new PrintNote(untold));
    }

    /** Deletes the file of the prints. A failure is noted after that. */
    @Override
    public void release() {
        try (log) {
            notFinite = prints == null ? List.of() : prints.notFinite(any -> true);
        } catch (UncheckedIOException unreadable) {
            lines.notice(unreadable.getMessage());
        }
    }
}
