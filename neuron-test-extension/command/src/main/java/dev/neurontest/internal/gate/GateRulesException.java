package dev.neurontest.internal.gate;

import org.apiguardian.api.API;

/** Thrown for gates that cannot be parsed. The message has the place, the text and the expected text. No gate was decided. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class GateRulesException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Maximum length of a message. The limit is needed because a file of another kind may have a line of any length. */
    private static final int MOST_CHARACTERS = 800;

    GateRulesException(String where, String problem) {
        super(where + ": " + shortened(problem));
    }

    GateRulesException(String where, String problem, Exception cause) {
        super(where + ": " + shortened(problem), cause);
    }

    private static String shortened(String problem) {
        int half = MOST_CHARACTERS / 2;
        return problem.length() <= MOST_CHARACTERS
                ? problem
                : problem.substring(0, half) + " … " + problem.substring(problem.length() - half);
    }
}
