package dev.neurontest.internal.tensor;

import dev.neurontest.tensor.Abbreviation;
import dev.neurontest.tensor.DType;
import dev.neurontest.tensor.TensorView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apiguardian.api.API;

/**
 * The values of a tensor in the style of NumPy arrays: nested brackets, equal widths, and 4 decimal places. For more than 1,000 values, it
 * contains only the first and last three of each dimension, or only one for more than four dimensions.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TensorText {

    private static final long THRESHOLD = 1000;
    private static final long EDGE = 3;
    private static final long EDGE_OF_MANY = 1;
    private static final int MANY_DIMENSIONS = 5;
    private static final int LINE = 110;
    private static final double LARGE = 1e8;
    private static final double SMALL = 1e-4;
    private static final double WIDE = 1000;

    private final TensorView tensor;
    private final Optional<Abbreviation> omitted;
    private final boolean abbreviated;
    private final Map<Long, String> cells = new HashMap<>();
    private final StringBuilder text = new StringBuilder();
    private final long edge;
    private int width;

    private TensorText(TensorView tensor) {
        this.tensor = tensor.written();
        this.omitted = tensor.abbreviation().filter(part -> this.tensor.isDecodable());
        this.abbreviated = omitted.isEmpty() && (tensor.size() > THRESHOLD || tensor.size() == 0);
        this.edge = tensor.shape().size() < MANY_DIMENSIONS ? EDGE : EDGE_OF_MANY;
    }

    /**
     * Formats a tensor of any size.
     *
     * @return lines of text, without a line break after the last one
     */
    public static String of(TensorView tensor) {
        return new TensorText(tensor).write();
    }

    private String write() {
        List<Long> shown = new ArrayList<>();
        collect(0, 0, shown);
        boolean exponents = needExponents(shown);
        shown.forEach(flat -> cells.put(flat, cell(flat, exponents)));
        width = cells.values().stream().mapToInt(String::length).max().orElse(0);
        write(0, 0);
        return text.toString();
    }

    private void collect(int dimension, long offset, List<Long> shown) {
        if (dimension == tensor.shape().size()) {
            shown.add(offset);
            return;
        }
        for (long i : indices(dimension)) {
            if (i >= 0) {
                collect(dimension + 1, offset * length(dimension) + i, shown);
            }
        }
    }

    private long length(int dimension) {
        return tensor.shape().get(dimension);
    }

    /** Returns the indices of the shown elements, with -1 in place of omitted ones. */
    private List<Long> indices(int dimension) {
        if (omitted.filter(part -> part.hasGap(dimension)).isPresent()) {
            return around(omitted.orElseThrow().gaps().get(dimension), length(dimension));
        }
        long length = length(dimension);
        boolean cut = abbreviated && length > 2 * edge;
        List<Long> indices = new ArrayList<>();
        for (long i = 0; i < (cut ? edge : length); i++) {
            indices.add(i);
        }
        if (cut) {
            indices.add(-1L);
            for (long i = length - edge; i < length; i++) {
                indices.add(i);
            }
        }
        return indices;
    }

    private static List<Long> around(long gap, long length) {
        return LongStream.concat(
                        LongStream.concat(LongStream.range(0, gap), LongStream.of(-1)), LongStream.range(gap, length))
                .boxed()
                .toList();
    }

    private boolean needExponents(List<Long> shown) {
        if (tensor.dtype().filter(DType::isFloating).isEmpty()) {
            return false;
        }
        double most = 0;
        double least = Double.MAX_VALUE;
        for (long flat : shown) {
            double value = Math.abs(tensor.number(flat));
            if (value > 0 && Double.isFinite(value)) {
                most = Math.max(most, value);
                least = Math.min(least, value);
            }
        }
        return most >= LARGE || least < SMALL || most / least > WIDE;
    }

    private String cell(long flat, boolean exponents) {
        if (tensor.dtype().filter(DType::isFloating).isEmpty()) {
            return tensor.text(flat);
        }
        double value = tensor.number(flat);
        return Double.isFinite(value)
                ? String.format(Locale.ROOT, exponents ? "%.4e" : "%.4f", value)
                : tensor.text(flat);
    }

    private void write(int dimension, long offset) {
        int rank = tensor.shape().size();
        if (dimension == rank) {
            pad(cells.get(offset));
            return;
        }
        text.append('[');
        boolean last = dimension == rank - 1;
        int column = dimension + 1;
        boolean first = true;
        for (long i : indices(dimension)) {
            if (!first && !last) {
                text.append("\n".repeat(rank - 1 - dimension)).append(" ".repeat(dimension + 1));
            } else if (!first && column + width + 1 > LINE) {
                text.append('\n').append(" ".repeat(dimension + 1));
                column = dimension + 1;
            } else if (!first) {
                text.append(' ');
                column++;
            }
            first = false;
            if (i < 0) {
                text.append("...");
                column += 3;
            } else {
                write(dimension + 1, offset * length(dimension) + i);
                column += width;
            }
        }
        text.append(']');
    }

    private void pad(String cell) {
        text.append(" ".repeat(width - cell.length())).append(cell);
    }
}
