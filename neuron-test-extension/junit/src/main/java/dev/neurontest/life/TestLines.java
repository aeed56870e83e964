package dev.neurontest.life;

import dev.neurontest.configuration.UndecidedPolicy;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.evidence.RunFile;
import dev.neurontest.evidence.TestId;
import dev.neurontest.recording.Judgement;
import dev.neurontest.recording.Recording;
import dev.neurontest.recording.Undecided;
import java.nio.file.Path;
import java.util.List;
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
public record TestLines(RunFile runFile, TestId test) {

    /**
     * Says what happened.
     *
     * @param event of the test
     */
    public void append(RunEvent event) {
        runFile.append(event);
    }

    /**
     * Says what was seen.
     *
     * @param recording of the test
     */
    public void append(Recording recording) {
        runFile.append(test, recording);
    }

    /**
     * Says what was found.
     *
     * @param found may be nothing
     */
    public void append(Judgement found) {
        runFile.append(test, found);
    }

    /**
     * Says what a reader should know.
     *
     * @param notice in words
     */
    public void notice(String notice) {
        runFile.append(new RunEvent.Noticed(test, notice));
    }

    /**
     * Says what was found.
     *
     * @param found may be nothing
     * @param policy what becomes of the test when it could not decide something
     * @param error what the test fails with
     * @return the verdict
     */
    public Verdict verdict(Judgement found, UndecidedPolicy policy, Supplier<AssertionFailedError> error) {
        append(found);
        return new Verdict(found, policy, error);
    }

    /**
     * Says what was left open.
     *
     * @param undecided the one thing
     * @param policy what becomes of the test
     * @param message of the error, if it fails
     * @return the verdict
     */
    public Verdict undecided(Undecided undecided, UndecidedPolicy policy, String message) {
        return verdict(
                new Judgement(List.of(), List.of(undecided), List.of()),
                policy,
                () -> new AssertionFailedError(message));
    }

    /**
     * Where the files of the test go.
     *
     * @return a folder that exists
     */
    public Path folder() {
        return runFile.folder(test);
    }

    /**
     * What the test is called.
     *
     * @return its name
     */
    public String name() {
        return test.name();
    }
}
