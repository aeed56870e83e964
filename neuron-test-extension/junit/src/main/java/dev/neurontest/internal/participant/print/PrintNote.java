package dev.neurontest.internal.participant.print;

import dev.neurontest.internal.text.VisibleText;
import java.util.List;

/** A note on the failure of a test that printed values that are not finite, even if the test itself did not check these values. */
final class PrintNote extends Exception {

    private static final long serialVersionUID = 1;

    PrintNote(List<String> notFinite) {
        super(
                VisibleText.of("Among the device prints of this test:\n  " + String.join("\n  ", notFinite)),
                null,
                false,
                false);
    }
}
