package dev.neurontest.internal.participant.runtime;

import dev.neurontest.internal.configuration.LeakPolicy;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.judgement.Failure;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.participant.Participant;
import dev.neurontest.internal.participant.Suspicions;
import dev.neurontest.internal.participant.TestJournal;
import dev.neurontest.internal.participant.TestResult;
import dev.neurontest.internal.participant.UndecidedHandling;
import dev.neurontest.internal.participant.Verdict;
import dev.neurontest.internal.runtime.watch.OpenResource;
import dev.neurontest.internal.thread.Failures;
import java.util.List;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * A participant that reports resources that a test left open on the runtime in this JVM.
 *
 * @param settings the settings for the handling of leaks
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Leaks(TestRuntime runtime, Settings settings, TestJournal lines, Suspicions suspicions)
        implements Participant {

    /** Closes open resources. This happens after the counters were read; otherwise it would look as if the test had closed them. */
    @Override
    public void conclude(TestResult findings) {
        try {
            Failures.throwFirst(Failures.of(runtime.left(), OpenResource::close));
        } catch (RuntimeException failed) {
            lines.notice("Resources that it left open could not be closed: " + failed);
            suspicions.abandoned("resources that it left open on the runtime could not be closed");
        }
    }

    @Override
    public List<Verdict> judge(TestResult findings) {
        List<OpenResource> resources = runtime.left();
        if (resources.isEmpty()) {
            return List.of();
        }
        String all = resources.stream().map(OpenResource::toString).collect(Collectors.joining("; "));
        if (settings.value(Setting.RUNTIME_LEAKS) == LeakPolicy.NOTICE) {
            lines.notice("left open on the runtime: " + all);
            return List.of();
        }
        Violation violation = new Violation(
                "a test closes what it opens on the runtime",
                lines.name(),
                "nothing open at its end",
                all,
                "Open it with try-with-resources. With %s=notice the test passes with a notice."
                        .formatted(Setting.RUNTIME_LEAKS));
        return List.of(lines.verdict(
                Judgement.of(violation),
                UndecidedHandling.NONE,
                () -> Failure.error("%s left open on the runtime in this JVM:%s\n%s"
                        .formatted(
                                lines.name(),
                                resources.stream().map(each -> "\n  " + each).collect(Collectors.joining()),
                                violation.advice()))));
    }
}
