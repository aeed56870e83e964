package dev.neurontest.internal.judgement;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;
import org.opentest4j.AssertionFailedError;

/** Why a test fails because of a recording. Each wing has its own headline and table. */
@API(status = API.Status.INTERNAL, since = "0.1")
public abstract class Failure {

    private final JudgementText words;

    /**
     * Puts into words what was judged.
     *
     * @param judgement what the rules found; what is undecided is told beside what is violated
     */
    protected Failure(Judgement judgement) {
        this.words = new JudgementText(judgement);
    }

    /**
     * The message: headline, table, then what to do about each demand that was not met, then what else a reader should know.
     *
     * @return lines of text
     */
    public abstract String text();

    /**
     * What failures of all wings say alike.
     *
     * @return parts of the message
     */
    protected JudgementText words() {
        return words;
    }

    /**
     * What was found.
     *
     * @return with notices
     */
    public Judgement judgement() {
        return words.judgement();
    }

    /**
     * What the test fails with. Its expected and actual values have one line for each demand, so that an IDE shows them side by
     * side.
     *
     * @return the error
     */
    public AssertionFailedError toError() {
        return error(text(), expected(), actual());
    }

    /**
     * The error for a message that may hold names and logs.
     *
     * @param message lines of text
     * @return an error that a terminal may show
     */
    public static AssertionFailedError error(String message) {
        return new AssertionFailedError(VisibleText.of(message));
    }

    /**
     * The error for a message that may hold names and logs.
     *
     * @param message lines of text
     * @param expected for an IDE
     * @param actual beside it
     * @return an error that a terminal may show
     */
    public static AssertionFailedError error(String message, String expected, String actual) {
        return new AssertionFailedError(VisibleText.of(message), VisibleText.of(expected), VisibleText.of(actual));
    }

    /**
     * Whether there is anything to fail with.
     *
     * @return false when nothing is violated and nothing undecided
     */
    public boolean isFailure() {
        return words.isFailure();
    }

    /**
     * The demands.
     *
     * @return one a line
     */
    public String expected() {
        return words.expected();
    }

    /**
     * What was there instead.
     *
     * @return the same lines as the demands
     */
    public String actual() {
        return words.actual();
    }
}
