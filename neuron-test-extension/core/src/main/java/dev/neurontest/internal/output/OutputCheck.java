package dev.neurontest.internal.output;

import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.tensor.Mismatch;
import dev.neurontest.internal.tensor.TensorComparison;
import dev.neurontest.internal.tensor.TensorComparisonText;
import dev.neurontest.internal.tensor.TensorHash;
import dev.neurontest.internal.tensor.ValueSummary;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.tensor.DType;
import dev.neurontest.tensor.TensorView;
import dev.neurontest.tensor.Tolerance;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The examination of one output: its summary, and whether it meets its expectation. */
final class OutputCheck {

    /** Maximum number of values of a golden that is compared in another order, to explain a difference. */
    private static final long MOST_TRANSPOSED = 1L << 24;

    private static final String BYTES = "uint8";

    private final OutputTensor output;
    private final Optional<OutputExpectation> expectation;
    private final Optional<OutputRecord> before;
    private final Optional<OutputRecord> twin;
    private final Set<OutputOddity> allowed;
    private final List<Judgement> judgements = new ArrayList<>();
    private final List<String> found = new ArrayList<>();
    private final String hash;
    private TensorView tensor;
    private String comparisonText = "";
    private String goldenHash = "";

    private OutputCheck(
            OutputTensor output,
            Optional<OutputExpectation> expectation,
            Optional<OutputRecord> before,
            Optional<OutputRecord> twin) {
        this.output = output;
        this.expectation = expectation;
        this.before = before;
        this.twin = twin;
        this.allowed = expectation.map(OutputExpectation::allowed).orElse(Set.of());
        this.tensor = output.tensor();
        this.hash = TensorHash.of(tensor.bytes());
    }

    /**
     * Examines an output.
     *
     * @param before the same output of the execution before; empty without one
     * @param twin the output of the first execution with the same inputs; empty without one
     */
    static OutputRecord of(
            OutputTensor output,
            OutputExpectations expectations,
            Optional<OutputRecord> before,
            Optional<OutputRecord> twin) {
        Optional<OutputExpectation> expectation =
                expectations.of(output.origin().output());
        return new OutputCheck(output, expectation, before, twin).examine(expectation.flatMap(expectations::golden));
    }

    private OutputRecord examine(Optional<Golden> golden) {
        boolean isRightType = hasExpectedType(golden);
        UnwrittenElements unwritten = unwritten(golden.filter(each -> isRightType));
        TensorView readable = tensor.isDecodable() ? tensor : bytes();
        ValueSummary values = ValueSummary.of(readable);
        if (!unwritten.isNone() && !allowed.contains(OutputOddity.UNWRITTEN)) {
            reportUnwritten(unwritten);
        } else if (golden.isPresent()) {
            golden.filter(each -> isRightType).ifPresent(each -> compare(each, values));
        } else if (isRightType || !tensor.isDecodable()) {
            report(readable, values);
        }
        reportDifferentTwin();
        if (expectation.isEmpty()) {
            found.forEach(fault -> judgements.add(
                    new Judgement(List.of(), List.of(), List.of("%s: %s.".formatted(capitalized(), fault)))));
        }
        return new OutputRecord(
                output.origin(),
                tensor.dtypeName(),
                tensor.shape(),
                tensor.size(),
                values,
                unwritten.count(),
                output.whyNotFilled(),
                hash,
                goldenHash,
                String.join("; ", found).replace(".; ", "; "),
                Judgement.of(judgements),
                comparisonText);
    }

    private String capitalized() {
        String text = output.origin().text();
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    /** Returns the bytes as numbers, in which zeros of any data type are zeros. */
    private TensorView bytes() {
        return TensorView.of(BYTES, List.of(tensor.bytes().size()), tensor.bytes());
    }

    /** Finds the elements that a fill left. A golden with the pattern in the same elements shows that it is a result there. */
    private UnwrittenElements unwritten(Optional<Golden> golden) {
        UnwrittenElements none = new UnwrittenElements(0, -1, -1, tensor.size());
        UnwrittenElements unwritten = output.isFilled() ? UnwrittenElements.in(tensor) : none;
        boolean isResult = !unwritten.isNone()
                && golden.map(each -> each.tensor(tensor.dtypeName(), allOddities()))
                        .filter(expected -> expected.dtype().equals(tensor.dtype()))
                        .filter(expected -> UnwrittenElements.in(expected).equals(unwritten))
                        .isPresent();
        return isResult ? none : unwritten;
    }

    private void violated(String expected, String actual, String advice) {
        found.add(actual);
        expectation.ifPresent(rule -> judgements.add(
                Judgement.of(new Violation(rule.words(), output.origin().text(), expected, actual, advice))));
    }

    private void undecided(String reason) {
        expectation.ifPresent(rule -> {
            found.add("undecided: " + reason);
            judgements.add(
                    Judgement.of(new Undecided(rule.words(), output.origin().text(), reason)));
        });
    }

    /** Compares the data type with the expected one, and reads values of an unknown type with it. */
    private boolean hasExpectedType(Optional<Golden> golden) {
        if (expectation.isEmpty()) {
            return tensor.isDecodable();
        }
        String named = expectation.get().dtype();
        Optional<DType> reported = tensor.dtype();
        Optional<DType> expected = named.isEmpty()
                ? golden.flatMap(
                        each -> each.tensor(dtypeName(reported), allOddities()).dtype())
                : DType.of(named);
        if (expected.isEmpty()) {
            if (!tensor.isDecodable()) {
                undecided(
                        output.isRaw()
                                ? "the tool saves bytes without a dtype. Set dtype in the annotation, or give a golden."
                                : "%s. Set dtype in the annotation.".formatted(tensor.trouble()));
            }
            return tensor.isDecodable();
        }
        if (output.isRaw()) {
            return hasExpectedSize(golden, expected.get());
        }
        if (reported.isEmpty() || isEightBits(reported.get(), expected.get())) {
            tensor = tensor.reinterpret(
                    expected.get().toString(),
                    output.tensor().printedShape().stream()
                            .mapToLong(Long::longValue)
                            .toArray());
        } else if (!hasSameBits(reported.get(), expected.get())) {
            violated(
                    "dtype " + expected.get(),
                    "dtype " + reported.get(),
                    named.isEmpty()
                            ? "The golden has another dtype. If the output is right, name its dtype in the annotation, as dtype = \"%s\"."
                                    .formatted(reported.get())
                            : "Correct dtype in the annotation, or the kernel.");
            return false;
        }
        if (!tensor.isDecodable()) {
            violated(
                    "dtype " + expected.get(),
                    tensor.trouble(),
                    "Correct the dtype in the annotation or in the golden.");
        }
        return tensor.isDecodable();
    }

    /** Reads bytes as values of the shape of the golden, or as a row without one. */
    private boolean hasExpectedSize(Optional<Golden> golden, DType dtype) {
        long bytes = tensor.bytes().size();
        List<Long> shape = golden.map(
                        each -> each.tensor(dtype.toString(), allOddities()).shape())
                .orElse(List.of(bytes * Byte.SIZE / dtype.bits()));
        TensorView typed = TensorView.of(dtype.toString(), shape, tensor.bytes());
        if (!typed.isDecodable()) {
            violated(
                    "the bytes of %s values of shape %s".formatted(dtype, typed.shapeText()),
                    CountText.of(bytes, "byte"),
                    "Correct the dtype in the annotation, the golden, or the model.");
            return false;
        }
        tensor = typed;
        return true;
    }

    private static String dtypeName(Optional<DType> dtype) {
        return dtype.map(DType::toString).orElse("");
    }

    private static Set<OutputOddity> allOddities() {
        return Set.of(OutputOddity.values());
    }

    /** Returns whether the runtime may have reported an 8-bit float as an integer. */
    private static boolean isEightBits(DType reported, DType expected) {
        return reported.isInteger()
                && reported.bits() == Byte.SIZE
                && expected.isFloating()
                && expected.bits() == Byte.SIZE;
    }

    private static boolean hasSameBits(DType one, DType other) {
        Set<DType> floats = Set.of(DType.FLOAT32, DType.FLOAT32R, DType.TFLOAT32);
        return one == other || floats.contains(one) && floats.contains(other);
    }

    private void reportUnwritten(UnwrittenElements unwritten) {
        if (unwritten.isAll() && UnwrittenElements.isUncertain(tensor)) {
            undecided("its %s equal the fill pattern by chance or because they were not written."
                    .formatted(CountText.of(tensor.bytes().size(), "byte")));
            return;
        }
        String previous = before.filter(record -> record.unwritten() == 0)
                .map(record -> " Execution %s wrote it: without the fill, that output would still be there."
                        .formatted(record.origin().execution()))
                .orElse("");
        violated(
                OutputOddity.UNWRITTEN.expected(),
                unwritten.text(tensor),
                "The buffer was filled with the byte 0xA5 before the execution, and these elements still hold it.%s If that is intended, allow UNWRITTEN."
                        .formatted(previous));
    }

    /** Reports contents that are seldom right. With inputs of zeros they often are. */
    private void report(TensorView readable, ValueSummary values) {
        for (OutputOddity oddity : OutputOddity.values()) {
            boolean isReported =
                    oddity == OutputOddity.INFINITY && !found.isEmpty() && values.infinite() == readable.size();
            oddity.in(readable, values)
                    .filter(text -> !allowed.contains(oddity) && !isReported)
                    .ifPresent(text -> {
                        if (output.hasZeroInputs()) {
                            undecided(
                                    "%s, which may be right because all inputs were zeros. Give inputs, compare it with a golden, or allow %s."
                                            .formatted(text, oddity));
                        } else {
                            violated(
                                    oddity.expected(),
                                    text,
                                    "If that is right for this output, allow %s.".formatted(oddity));
                        }
                    });
        }
        if (found.isEmpty() && !output.isFilled() && !allowed.contains(OutputOddity.UNWRITTEN)) {
            undecided("whether it was written is unknown, because %s. Compare it with a golden, or allow UNWRITTEN."
                    .formatted(output.whyNotFilled()));
        }
    }

    private void compare(Golden golden, ValueSummary values) {
        TensorView expected;
        try {
            expected = golden.tensor(tensor.dtypeName(), allowed);
        } catch (IllegalArgumentException refused) {
            violated(
                    "a golden that wrong outputs do not match",
                    String.valueOf(refused.getMessage()),
                    "Create another golden.");
            return;
        }
        if (!expected.isDecodable()) {
            violated(
                    "a golden with numbers",
                    "%s: %s".formatted(golden.file(), expected.trouble()),
                    "Create the golden as float32 and name the dtype of the output, such as dtype = \"bfloat16\".");
            return;
        }
        if (!expected.shape().equals(tensor.shape())) {
            violated(
                    "shape %s of %s".formatted(expected.shapeText(), golden.file()),
                    "shape " + tensor.shapeText() + hint(expected, values, Optional.empty()),
                    "Correct the model, or create the golden for this shape.");
            return;
        }
        goldenHash = golden.hash();
        Tolerance tolerance = tolerance();
        TensorComparison comparison = TensorComparison.of(tensor, expected, tolerance);
        if (!comparison.matches()) {
            violated(
                    "the values of %s %s".formatted(golden.file(), tolerance),
                    differing(comparison) + hint(expected, values, Optional.of(comparison)),
                    "The golden has the SHA-256 %s. If the output is right, create the golden anew."
                            .formatted(golden.hash()));
            comparisonText = TensorComparisonText.of(output.origin().text(), comparison);
            return;
        }
        Stream.of(OutputOddity.ZEROS, OutputOddity.CONSTANT)
                .filter(oddity -> !allowed.contains(oddity))
                .forEach(oddity -> oddity.in(tensor, values)
                        .ifPresent(text -> violated(
                                oddity.expected(),
                                text,
                                "The tolerance accepts that in place of %s. Set a smaller one. If that is right for this output, allow %s."
                                        .formatted(golden.file(), oddity))));
    }

    private Tolerance tolerance() {
        Tolerance tolerance = expectation.orElseThrow().tolerance();
        return allowed.contains(OutputOddity.NAN) ? tolerance.withNanEqualToNan() : tolerance;
    }

    private static String differing(TensorComparison comparison) {
        if (!comparison.isComparable()) {
            return comparison.whyNot();
        }
        return "different in %s of %s"
                .formatted(
                        CountText.of(comparison.mismatches()),
                        CountText.of(comparison.actual().size(), "value"));
    }

    /** Returns likely explanations of a difference, each after a comma. */
    private String hint(TensorView expected, ValueSummary values, Optional<TensorComparison> comparison) {
        List<String> hints = new ArrayList<>();
        Stream.of(OutputOddity.ZEROS, OutputOddity.CONSTANT, OutputOddity.NAN, OutputOddity.INFINITY)
                .flatMap(oddity -> oddity.in(tensor, values).stream())
                .forEach(hints::add);
        if (hints.isEmpty()) {
            before.filter(record -> record.hash().equals(hash))
                    .ifPresent(record -> hints.add("its bytes are the output of the execution before"));
            comparison.flatMap(this::tail).ifPresent(hints::add);
            if (isTransposed(expected)) {
                hints.add("equal to the golden transposed");
            }
        }
        return hints.isEmpty() ? "" : ": " + String.join("; ", hints);
    }

    /** Returns that only the last values differ, as after a missing last tile. */
    private Optional<String> tail(TensorComparison comparison) {
        List<Mismatch> first = comparison.first();
        if (first.isEmpty() || first.get(0).flat() == 0) {
            return Optional.empty();
        }
        long start = first.get(0).flat();
        boolean isTail = comparison.mismatches() == tensor.size() - start && comparison.mismatches() > 1;
        long zeros = 0;
        for (long i = start; isTail && i < tensor.size(); i++) {
            zeros += tensor.number(i) == 0 ? 1 : 0;
        }
        String only = "only the last ones" + (zeros == tensor.size() - start ? ", which are all zero" : "");
        return Optional.of(only).filter(text -> isTail);
    }

    /** Returns whether the values are those of the golden with its last two dimensions swapped, in the shape of the output or of the golden. */
    private boolean isTransposed(TensorView expected) {
        int rank = expected.shape().size();
        if (rank < 2 || expected.size() != tensor.size() || expected.size() > MOST_TRANSPOSED) {
            return false;
        }
        int columns = Math.toIntExact(expected.shape().get(rank - 1));
        int rows = Math.toIntExact(expected.shape().get(rank - 2));
        double[] swapped = new double[Math.toIntExact(expected.size())];
        for (int i = 0; i < swapped.length; i++) {
            int matrix = i / (rows * columns);
            int place = i % (rows * columns);
            swapped[matrix * rows * columns + place % columns * rows + place / columns] = expected.number(i);
        }
        long[] shape = tensor.shape().stream().mapToLong(Long::longValue).toArray();
        return TensorComparison.of(tensor, TensorView.of(swapped, shape), tolerance())
                .matches();
    }

    private void reportDifferentTwin() {
        boolean isExpected = expectation.filter(OutputExpectation::same).isPresent();
        twin.filter(record -> isExpected && !record.hash().equals(hash))
                .ifPresent(
                        record -> violated(
                                "the bytes of execution %s on %s, which had the same inputs"
                                        .formatted(
                                                record.origin().execution(),
                                                record.origin().core()),
                                "other bytes",
                                "The model is not deterministic, or an execution was wrong. If that is intended, remove same = true."));
    }
}
