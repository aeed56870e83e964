package dev.neurontest.internal.configuration;

import dev.neurontest.internal.text.NearestName;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Converter between enum constants and their text in settings: {@code IN_PROCESS} is {@code in-process}. */
final class EnumText {

    private EnumText() {}

    static <E extends Enum<E>> E parse(String what, String text, Class<E> type) {
        for (E value : type.getEnumConstants()) {
            if (of(value).equalsIgnoreCase(text)) {
                return value;
            }
        }
        throw unknown(
                what,
                text,
                Arrays.stream(type.getEnumConstants()).map(EnumText::of).toList());
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
