package dev.neurontest.internal.participant;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;

/** A note that is attached to the failure of a test and does not concern its cores. It has no stack trace. */
@API(status = API.Status.INTERNAL)
public final class FailureNote extends Exception {

    private static final long serialVersionUID = 1;

    public FailureNote(String note) {
        super(VisibleText.of(note), null, false, false);
    }
}
