package dev.neurontest.internal.participant;

import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.judgement.Failure;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.judgement.Undecided;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.opentest4j.AssertionFailedError;

/**
 * A writer for the run file entries of one test.
 *
 * @param host the name of the host of a cluster that the entries are about; empty for the host of this JVM
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record TestJournal(RunFile runFile, TestId test, Optional<String> host) {

    /** Creates a writer for a test on the host of this JVM. */
    public TestJournal(RunFile runFile, TestId test) {
        this(runFile, test, Optional.empty());
    }

    /** Returns a writer whose entries name a host of a cluster. */
    public TestJournal on(String hostOfCluster) {
        return new TestJournal(runFile, test, Optional.of(hostOfCluster));
    }

    /** Writes an event. */
    public void append(RunEvent event) {
        runFile.append(event);
    }

    /** Writes a measurement. */
    public void append(Measurement measurement) {
        runFile.append(test, measurement);
    }

    /** Writes a judgement. */
    public void append(Judgement judgement) {
        runFile.append(test, placed(judgement));
    }

    /** Returns a judgement that names the host. */
    private Judgement placed(Judgement judgement) {
        return host.isPresent() ? judgement.on(host.get()) : judgement;
    }

    /** Writes a notice for the reader of the report. */
    public void notice(String notice) {
        runFile.append(new RunEvent.Noticed(
                test, host.map(name -> name + ": " + notice).orElse(notice)));
    }

    /** Prints a progress message at once. */
    public void printLine(String sentence) {
        runFile.printLine(test.name() + ": " + sentence);
    }

    /** Writes a judgement and returns it as a verdict. */
    public Verdict verdict(Judgement judgement, UndecidedHandling leniency, Supplier<AssertionFailedError> error) {
        append(judgement);
        return new Verdict(placed(judgement), leniency, error);
    }

    /** Writes an undecided result and returns it as a verdict. */
    public Verdict undecided(Undecided undecided, UndecidedHandling leniency, String message) {
        return verdict(Judgement.of(undecided), leniency, () -> Failure.error(message));
    }

    /** Returns the folder for the files of the test. */
    public Path folder() {
        return runFile.folder(test);
    }

    /** Returns the name of the test. */
    public String name() {
        return test.name();
    }
}
