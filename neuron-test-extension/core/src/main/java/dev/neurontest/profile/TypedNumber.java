package dev.neurontest.profile;

import dev.neurontest.metric.ByteSize;
import dev.neurontest.metric.Fraction;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Numbers of a summary in the types of what they count. */
final class TypedNumber {

    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

    private TypedNumber() {}

    static Optional<Duration> seconds(OptionalDouble seconds) {
        return duration(seconds, 9);
    }

    static Optional<Duration> nanoseconds(OptionalDouble nanoseconds) {
        return duration(nanoseconds, 0);
    }

    static Optional<ByteSize> bytes(OptionalDouble bytes) {
        return bytes.isPresent() ? Optional.of(new ByteSize(Math.round(bytes.getAsDouble()))) : Optional.empty();
    }

    static Optional<Fraction> fraction(OptionalDouble part) {
        return part.isPresent() ? Optional.of(new Fraction(part.getAsDouble())) : Optional.empty();
    }

    static OptionalLong whole(OptionalDouble number) {
        return number.isPresent() ? OptionalLong.of(Math.round(number.getAsDouble())) : OptionalLong.empty();
    }

    private static Optional<Duration> duration(OptionalDouble time, int decimalsToNanoseconds) {
        if (time.isEmpty()) {
            return Optional.empty();
        }
        BigDecimal nanoseconds = BigDecimal.valueOf(time.getAsDouble())
                .movePointRight(decimalsToNanoseconds)
                .setScale(0, RoundingMode.HALF_UP);
        BigDecimal[] seconds = nanoseconds.divideAndRemainder(BigDecimal.valueOf(1_000_000_000));
        return Optional.of(
                seconds[0].compareTo(LARGEST) > 0
                        ? Duration.ofSeconds(Long.MAX_VALUE)
                        : Duration.ofSeconds(seconds[0].longValue(), seconds[1].longValue()));
    }
}
