package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.text.VisibleText;

/** A note beside the failure of a test, which says nothing about its cores. It has no stack trace. */
final class FailureNote extends Exception {

    private static final long serialVersionUID = 1;

    FailureNote(String note) {
        super(VisibleText.of(note), null, false, false);
    }
}
