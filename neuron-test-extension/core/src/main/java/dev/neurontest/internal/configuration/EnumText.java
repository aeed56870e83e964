package dev.neurontest.internal.configuration;

import dev.neurontest.internal.text.NearestName;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Converter between enum constants and their text in settings: {@code IN_PROCESS} is {@code in-process}. */
final class EnumText {

    private EnumText() {}

    /**
     * Returns a parser for the constants of an enum. All settings share this lambda, because each further lambda slows the start
     * of a JVM.
     */
    static <E extends Enum<E>> Function<String, E> parser(String what, E[] values) {
        return text -> parse(what, text, values);
    }

    static <E extends Enum<E>> E parse(String what, String text, E[] values) {
        return Arrays.stream(values)
                .filter(value -> of(value).equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> unknown(
                        what, text, Arrays.stream(values).map(EnumText::of).toList()));
    }

    static IllegalArgumentException unknown(String what, String written, List<String> known) {
        return new IllegalArgumentException("unknown %s \"%s\", %s"
                .formatted(
                        what,
                        written,
                        NearestName.of(written, known)
                                .map(name -> "did you mean \"" + name + "\"?")
                                .orElse("known are " + String.join(", ", known))));
    }

    static String of(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
