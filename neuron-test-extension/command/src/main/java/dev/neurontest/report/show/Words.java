package dev.neurontest.report.show;

import dev.neurontest.report.HostError;
import java.util.Locale;

/** Numbers as people read them, the same in every view. */
final class Words {

    private Words() {}

    /** A constant as a word. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Describes an error counter that moved, and how much of that no test answers for. */
    static String hostError(HostError error) {
        return "%s of %s went from %s to %s, %s"
                .formatted(
                        error.counter(),
                        error.host(),
                        Long.toUnsignedString(error.before()),
                        Long.toUnsignedString(error.after()),
                        error.unexplained() == 0
                                ? "tests answer for all of it"
                                : "no test answers for %s of it".formatted(error.unexplained()));
    }
}
