package dev.neurontest.internal.participant;

import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.judgement.Failure;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.judgement.Undecided;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.opentest4j.AssertionFailedError;

/**
 * What the run file says of one test.
 *
 * @param runFile of the JVM
 * @param test whose
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record TestJournal(RunFile runFile, TestId test) {

    /** Says what happened. */
    public void append(RunEvent event) {
        runFile.append(event);
    }

    /** Says what was seen. */
    public void append(Measurement recording) {
        runFile.append(test, recording);
    }

    /** Says what was found. */
    public void append(Judgement found) {
        runFile.append(test, found);
    }

    /** Says what a reader should know. */
    public void notice(String notice) {
        runFile.append(new RunEvent.Noticed(test, notice));
    }

    /** Tells a person at once how it goes. */
    public void say(String sentence) {
        runFile.say(test.name() + ": " + sentence);
    }

    /** Says what was found. */
    public Verdict verdict(Judgement found, UndecidedHandling leniency, Supplier<AssertionFailedError> error) {
        append(found);
        return new Verdict(found, leniency, error);
    }

    /** Says what was left open. */
    public Verdict undecided(Undecided undecided, UndecidedHandling leniency, String message) {
        return verdict(Judgement.of(undecided), leniency, () -> Failure.error(message));
    }

    /** Where the files of the test go. */
    public Path folder() {
        return runFile.folder(test);
    }

    /** What the test is called. */
    public String name() {
        return test.name();
    }
}
