package dev.neurontest.internal.judgement;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;
import org.opentest4j.AssertionFailedError;

/** The failure of a test because of a measurement. Each subclass has its own headline and table. */
@API(status = API.Status.INTERNAL, since = "0.1")
public abstract class Failure {

    private final JudgementText words;

    /**
     * Creates a failure from a judgement.
     *
     * @param judgement findings of the rules; undecided results are reported next to violations
     */
    protected Failure(Judgement judgement) {
        this.words = new JudgementText(judgement);
    }

    /** Returns the message: a headline, a table, advice for each unmet expectation, and notices. */
    public abstract String text();

    /** Returns the texts that are common to all failures. */
    protected JudgementText words() {
        return words;
    }

    /** Returns the judgement, with notices. */
    public Judgement judgement() {
        return words.judgement();
    }

    /** Creates the error of the test. Its expected and actual values have one line for each expectation, for a comparison in an IDE. */
    public AssertionFailedError toError() {
        return error(text(), expected(), actual());
    }

    /** Creates an error from a message that may contain names and logs. The text is made safe for a terminal. */
    public static AssertionFailedError error(String message) {
        return new AssertionFailedError(VisibleText.of(message));
    }

    /** Creates an error from a message that may contain names and logs. The text is made safe for a terminal. */
    public static AssertionFailedError error(String message, String expected, String actual) {
        return new AssertionFailedError(VisibleText.of(message), VisibleText.of(expected), VisibleText.of(actual));
    }

    /** Returns whether there is a violation or an undecided result. */
    public boolean isFailure() {
        return words.isFailure();
    }

    /** Returns the expected values, one per line. */
    public String expected() {
        return words.expected();
    }

    /** Returns the actual values, in the same lines as the expected ones. */
    public String actual() {
        return words.actual();
    }
}
