package dev.neurontest.internal.command.run;

import dev.neurontest.internal.terminal.Style;
import dev.neurontest.internal.text.CountText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** The results of the tests of a JVM, in the order in which they ended. */
final class TestResults implements TestExecutionListener {

    /** The status with which a test, or a class as a whole, ended. */
    enum Status {
        PASSED("ok", Style.PASSED),
        FAILED("FAILED", Style.FAILED),
        ABORTED("aborted", Style.UNDECIDED),
        SKIPPED("skipped", Style.UNDECIDED);

        private final String word;
        private final Style style;

        Status(String word, Style style) {
            this.word = word;
            this.style = style;
        }

        String word() {
            return word;
        }

        Style style() {
            return style;
        }
    }

    /**
     * The end of a test, or of a container that did not end successfully.
     *
     * @param path the names of its containers, without the engine, followed by its own name
     * @param className empty if it is not known
     * @param test false for a container
     * @param reason the reason of a skip, or the message of the exception
     * @param thrown the exception of a failed or aborted test
     */
    record Result(
            List<String> path,
            String className,
            boolean test,
            Status status,
            Duration took,
            String reason,
            Optional<Throwable> thrown) {

        Result {
            path = List.copyOf(path);
        }

        String name() {
            return path.get(path.size() - 1);
        }

        boolean isFailed() {
            return status == Status.FAILED;
        }

        boolean isSkipped() {
            return !isFailed() && status != Status.PASSED;
        }

        /** Returns {@code failure} for an assertion, {@code error} for any other exception. */
        String element() {
            return thrown.filter(AssertionError.class::isInstance).isPresent() ? "failure" : "error";
        }

        String message() {
            return thrown.map(Throwable::getMessage).orElse("null");
        }

        String type() {
            return thrown.map(error -> error.getClass().getName()).orElse("");
        }

        String trace() {
            return thrown.map(ResultsText::trace).orElse("");
        }

        String time() {
            return JUnitXml.seconds(took);
        }

        @Override
        public String toString() {
            return String.join(" > ", path);
        }
    }

    private record Started(TestIdentifier test, long nanos) {

        Duration age() {
            return Duration.ofNanos(System.nanoTime() - nanos);
        }
    }

    private final Consumer<Result> observer;
    private final List<Result> results = new ArrayList<>();
    private final Map<String, Started> running = new LinkedHashMap<>();
    private final Set<String> withInvocations = ConcurrentHashMap.newKeySet();
    private final Set<String> withoutInvocations = new ConcurrentSkipListSet<>();
    private @Nullable TestPlan plan;

    /** Creates a listener that passes each result on at once, on the threads of the tests. */
    TestResults(Consumer<Result> observer) {
        this.observer = observer;
    }

    synchronized List<Result> all() {
        return List.copyOf(results);
    }

    List<Result> with(Status status) {
        return all().stream().filter(result -> result.status() == status).toList();
    }

    /** Returns the tests with invocations for which no invocation ran. */
    Set<String> withoutInvocations() {
        return withoutInvocations;
    }

    /** Returns the progress, such as {@code 214 of 490 tests, 1 failed, running BertTest > infers() 12 s}. */
    synchronized String progress() {
        if (plan == null) {
            return "";
        }
        int failed = with(Status.FAILED).size();
        List<Started> tests =
                running.values().stream().filter(each -> each.test().isTest()).toList();
        // The first test has been running for the longest time.
        return "%s of %s%s%s%s"
                .formatted(
                        results.stream().filter(Result::test).count(),
                        CountText.of(plan.countTestIdentifiers(TestIdentifier::isTest), "test"),
                        failed == 0 ? "" : ", " + failed + " failed",
                        tests.stream()
                                .findFirst()
                                .map(each -> ", running %s %s s"
                                        .formatted(
                                                String.join(" > ", path(each.test())),
                                                each.age().toSeconds()))
                                .orElse(""),
                        tests.size() < 2 ? "" : " and " + (tests.size() - 1) + " more");
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
    }

    @Override
    public synchronized void executionStarted(TestIdentifier test) {
        running.put(test.getUniqueId(), new Started(test, System.nanoTime()));
    }

    @Override
    public void dynamicTestRegistered(TestIdentifier invocation) {
        invocation.getParentId().ifPresent(withInvocations::add);
    }

    /** Adds the tests of a skipped container. JUnit reports only the outermost skipped container. */
    @Override
    public void executionSkipped(TestIdentifier skipped, String reason) {
        Stream.concat(Stream.of(skipped), plan().getDescendants(skipped).stream())
                .filter(TestIdentifier::isTest)
                .forEach(test -> add(test, Status.SKIPPED, reason, Optional.empty()));
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult end) {
        Status status = switch (end.getStatus()) {
            case SUCCESSFUL -> Status.PASSED;
            case ABORTED -> Status.ABORTED;
            case FAILED -> Status.FAILED;
        };
        if (test.isTest() || status != Status.PASSED) {
            String message = end.getThrowable().map(Throwable::getMessage).orElse("");
            add(test, status, message, end.getThrowable());
        } else if (test.getSource().filter(MethodSource.class::isInstance).isPresent()
                && !withInvocations.contains(test.getUniqueId())) {
            withoutInvocations.add(String.join(" > ", path(test)));
        }
    }

    private void add(TestIdentifier test, Status status, String reason, Optional<Throwable> thrown) {
        Result result;
        synchronized (this) {
            Optional<Started> start = Optional.ofNullable(running.remove(test.getUniqueId()));
            Duration took = start.map(Started::age).orElse(Duration.ZERO);
            result = new Result(path(test), className(test), test.isTest(), status, took, reason, thrown);
            results.add(result);
        }
        observer.accept(result);
    }

    /** Returns a test, followed by its containers; the engine is the last. */
    private Stream<TestIdentifier> lineage(TestIdentifier test) {
        return Stream.iterate(Optional.of(test), Optional::isPresent, each -> plan().getParent(each.get()))
                .map(Optional::get);
    }

    private List<String> path(TestIdentifier test) {
        List<String> path = new ArrayList<>();
        lineage(test)
                .filter(each -> each == test || each.getParentId().isPresent())
                .forEach(each -> path.add(0, each.getDisplayName()));
        return path;
    }

    private String className(TestIdentifier test) {
        return lineage(test)
                .flatMap(each -> each.getSource().stream())
                .flatMap(TestResults::className)
                .findFirst()
                .orElse("");
    }

    private static Stream<String> className(TestSource source) {
        return source instanceof MethodSource method
                ? Stream.of(method.getClassName())
                : source instanceof ClassSource type ? Stream.of(type.getClassName()) : Stream.empty();
    }

    private TestPlan plan() {
        return Objects.requireNonNull(plan, "the test plan has not begun");
    }
}
