package dev.neurontest.internal.output;

import dev.neurontest.internal.tensor.ValueSummary;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.tensor.DType;
import dev.neurontest.tensor.TensorView;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apiguardian.api.API;

/** Contents that are seldom right for an output. A test can allow each of them. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum OutputOddity {
    /** Elements that no execution wrote, or that may be unwritten. */
    UNWRITTEN("every element written"),
    /** Only zeros. */
    ZEROS("values other than zero"),
    /** The same value in all of several elements. */
    CONSTANT("different values"),
    /** NaN values. */
    NAN("no NaN"),
    /** Infinite values. */
    INFINITY("no infinity");

    private final String expected;

    OutputOddity(String expected) {
        this.expected = expected;
    }

    String expected() {
        return expected;
    }

    /** Returns how a tensor has this oddity; empty if it does not. Unwritten elements are found elsewhere. */
    Optional<String> in(TensorView tensor, ValueSummary values) {
        String all = tensor.size() == 1
                ? "its only value"
                : "all %s %s".formatted(CountText.of(tensor.size()), isBytes(tensor) ? "bytes" : "values");
        boolean isZero = values.zeros() == tensor.size() && tensor.size() > 0;
        return switch (this) {
            case UNWRITTEN -> Optional.empty();
            case ZEROS -> Optional.of("zero in " + all).filter(text -> isZero);
            case CONSTANT ->
                Optional.of(" in " + all)
                        .filter(text -> isConstant(tensor, values) && !isZero && tensor.size() > 1)
                        .map(text -> tensor.text(0) + text);
            case NAN ->
                Optional.of(values.nan())
                        .filter(nan -> nan > 0)
                        .map(nan -> counted(tensor, nan, "NaN in ", values.firstNaN(), all));
            case INFINITY ->
                Optional.of(values.infinite())
                        .filter(infinite -> infinite > 0)
                        .map(infinite -> counted(tensor, infinite, "infinite in ", values.firstInfinite(), all));
        };
    }

    /** Returns whether all values are equal, also those that a double cannot tell apart, and infinities. */
    private static boolean isConstant(TensorView tensor, ValueSummary values) {
        return values.isConstant()
                || values.nan() == 0
                        && tensor.isDecodable()
                        && LongStream.range(1, tensor.size()).allMatch(index -> tensor.code(index) == tensor.code(0));
    }

    private static boolean isBytes(TensorView tensor) {
        return tensor.dtype().equals(Optional.of(DType.UINT8));
    }

    private static String counted(TensorView tensor, long count, String what, long first, String all) {
        return count == tensor.size()
                ? what + all
                : "%s%s of %s values, first at %s"
                        .formatted(what, CountText.of(count), CountText.of(tensor.size()), tensor.index(first));
    }
}
