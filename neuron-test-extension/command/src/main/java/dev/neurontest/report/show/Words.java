package dev.neurontest.report.show;

import java.util.Locale;

/** Numbers as people read them, the same in every view. */
final class Words {

    private Words() {}

    /** A constant as a word. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
