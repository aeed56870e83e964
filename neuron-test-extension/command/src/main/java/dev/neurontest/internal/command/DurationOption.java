package dev.neurontest.internal.command;

import dev.neurontest.internal.text.DurationText;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A converter of durations in the form of settings. */
final class DurationOption implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String text) {
        try {
            return DurationText.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException(
                    "'%s': %s. Expected %s".formatted(text, wrong.getMessage(), DurationText.EXPECTED));
        }
    }
}
