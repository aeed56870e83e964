package dev.neurontest.command.run;

import dev.neurontest.text.CountText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** What became of the tests of a JVM, in the order in which they ended. */
final class TestResults implements TestExecutionListener {

    /** How a test, or a class as a whole, ended. */
    enum Status {
        PASSED,
        FAILED,
        ABORTED,
        SKIPPED
    }

    /**
     * The end of a test, or of a container that did not end well.
     *
     * @param path the names of what it is in, without the engine, and its own, last
     * @param className empty where it is not known
     * @param test false for a container
     * @param reason why it was skipped; empty otherwise
     * @param thrown what it failed or gave up with
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

        @Override
        public String toString() {
            return String.join(" > ", path);
        }
    }

    private record Started(TestIdentifier test, long nanos) {}

    private final Consumer<Result> observer;
    private final List<Result> results = new ArrayList<>();
    private final Map<String, Started> began = new LinkedHashMap<>();
    private final Instant started = Instant.now();
    private final Set<String> withInvocations = ConcurrentHashMap.newKeySet();
    private final Set<String> withoutInvocations = new ConcurrentSkipListSet<>();
    private @Nullable TestPlan plan;

    /** Tells an observer of each result as it comes, from the threads of the tests. */
    TestResults(Consumer<Result> observer) {
        this.observer = observer;
    }

    Instant started() {
        return started;
    }

    synchronized List<Result> all() {
        return List.copyOf(results);
    }

    long count(Status status) {
        return all().stream()
                .filter(result -> result.test() && result.status() == status)
                .count();
    }

    /** Tests with invocations, of which none was there to run. */
    Set<String> withoutInvocations() {
        return withoutInvocations;
    }

    boolean failed() {
        return all().stream().anyMatch(result -> result.status() == Status.FAILED);
    }

    /** By class, in the order in which the first test of each ended. */
    Map<String, List<Result>> byClass() {
        Map<String, List<Result>> classes = new LinkedHashMap<>();
        all().forEach(result -> classes.computeIfAbsent(result.className(), none -> new ArrayList<>())
                .add(result));
        return classes;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
    }

    @Override
    public synchronized void executionStarted(TestIdentifier test) {
        began.put(test.getUniqueId(), new Started(test, System.nanoTime()));
    }

    /** How far they are, such as {@code 214 of 490 tests, 1 failed, running BertTest > infers() 12 s}. */
    synchronized String progress() {
        if (plan == null) {
            return "";
        }
        long failed = results.stream()
                .filter(result -> result.status() == Status.FAILED)
                .count();
        List<Started> running =
                began.values().stream().filter(each -> each.test().isTest()).toList();
        // In the order of their beginning: the first is the one that takes longest.
        return "%s of %s%s%s"
                .formatted(
                        results.stream().filter(Result::test).count(),
                        CountText.of(plan.countTestIdentifiers(TestIdentifier::isTest), "test"),
                        failed == 0 ? "" : ", " + failed + " failed",
                        running.isEmpty()
                                ? ""
                                : ", running %s %s s%s"
                                        .formatted(
                                                String.join(
                                                        " > ",
                                                        path(running.get(0).test())),
                                                (System.nanoTime()
                                                                - running.get(0).nanos())
                                                        / 1_000_000_000,
                                                running.size() == 1 ? "" : " and " + (running.size() - 1) + " more"));
    }

    @Override
    public void dynamicTestRegistered(TestIdentifier invocation) {
        invocation.getParentId().ifPresent(withInvocations::add);
    }

    /** JUnit tells of the outermost thing that is skipped only; the tests in it are skipped with it. */
    @Override
    public void executionSkipped(TestIdentifier skipped, String reason) {
        if (skipped.isTest()) {
            add(result(skipped, Status.SKIPPED, reason, Optional.empty()));
            return;
        }
        plan().getDescendants(skipped).stream()
                .filter(TestIdentifier::isTest)
                .forEach(test -> add(result(test, Status.SKIPPED, reason, Optional.empty())));
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult end) {
        Status status = switch (end.getStatus()) {
            case SUCCESSFUL -> Status.PASSED;
            case ABORTED -> Status.ABORTED;
            case FAILED -> Status.FAILED;
        };
        if (test.isTest() || status != Status.PASSED) {
            add(result(test, status, "", end.getThrowable()));
        } else if (test.getSource().filter(MethodSource.class::isInstance).isPresent()
                && !withInvocations.contains(test.getUniqueId())) {
            withoutInvocations.add(String.join(" > ", path(test)));
        }
    }

    private void add(Result result) {
        synchronized (this) {
            results.add(result);
        }
        observer.accept(result);
    }

    private Result result(TestIdentifier test, Status status, String reason, Optional<Throwable> thrown) {
        @Nullable Started start;
        synchronized (this) {
            start = began.remove(test.getUniqueId());
        }
        return new Result(
                path(test),
                className(test),
                test.isTest(),
                status,
                start == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - start.nanos()),
                reason,
                thrown);
    }

    private List<String> path(TestIdentifier test) {
        List<String> path = new ArrayList<>();
        for (Optional<TestIdentifier> next = Optional.of(test); next.isPresent(); next = parent(next.get())) {
            if (path.isEmpty() || next.get().getParentId().isPresent()) {
                path.add(0, next.get().getDisplayName());
            }
        }
        return path;
    }

    private String className(TestIdentifier test) {
        for (Optional<TestIdentifier> next = Optional.of(test); next.isPresent(); next = parent(next.get())) {
            Optional<String> name = next.get().getSource().flatMap(TestResults::className);
            if (name.isPresent()) {
                return name.get();
            }
        }
        return "";
    }

    private static Optional<String> className(TestSource source) {
        if (source instanceof MethodSource method) {
            return Optional.of(method.getClassName());
        }
        return source instanceof ClassSource type ? Optional.of(type.getClassName()) : Optional.empty();
    }

    private Optional<TestIdentifier> parent(TestIdentifier test) {
        return plan().getParent(test);
    }

    private TestPlan plan() {
        if (plan == null) {
            throw new IllegalStateException("the test plan has not begun");
        }
        return plan;
    }
}
