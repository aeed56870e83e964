package dev.neurontest.gate;

import org.apiguardian.api.API;

/** Gates that cannot be understood: where, what was there, what was expected. Nothing was decided. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class GateRulesException extends RuntimeException {

    private static final long serialVersionUID = 1;

    GateRulesException(String where, String problem) {
        super(where + ": " + problem);
    }

    GateRulesException(String where, String problem, Exception cause) {
        super(where + ": " + problem, cause);
    }
}
