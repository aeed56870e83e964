package dev.neurontest.life;

import dev.neurontest.evidence.Interruption;
import java.util.Locale;

/** Stands beside JUnit's failure of a test whose time was over, which says nothing about its cores. */
final class InterruptionNote extends Exception {

    private static final long serialVersionUID = 1;

    InterruptionNote(Interruption interruption) {
        super(
                "Before the interrupt, in its %s:%n  %s%nCounters and threads of that moment are in neuron-timeout.txt."
                        .formatted(
                                interruption.phase().name().toLowerCase(Locale.ROOT),
                                String.join("%n  ".formatted(), interruption.devices())),
                null,
                false,
                false);
    }
}
