package dev.neurontest.internal.configuration;

import dev.neurontest.internal.text.NearestName;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The constants of an enum as settings write them: {@code IN_PROCESS} is {@code in-process}. */
final class EnumText {

    private EnumText() {}

    /** One function for all settings, which costs a JVM less than one for each. */
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
