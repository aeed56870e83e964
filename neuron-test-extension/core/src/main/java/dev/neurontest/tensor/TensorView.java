package dev.neurontest.tensor;

import dev.neurontest.internal.tensor.Layout;
import dev.neurontest.internal.tensor.TensorText;
import dev.neurontest.internal.text.CountText;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.DoublePredicate;
import java.util.function.ObjIntConsumer;
import org.apiguardian.api.API;

/**
 * A view of a tensor that decodes values on access and copies nothing. Values are row-major.
 *
 * <p>A tensor with an unknown data type, or with too many or too few bytes for its shape, is also readable. Its elements are hexadecimal
 * text, {@link #trouble()} contains the reason, and {@link #reinterpret} reads it with another data type or shape.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class TensorView {

    private final String name;
    private final Optional<DType> dtype;
    private final List<Long> printedShape;
    private final Layout layout;
    private final long size;
    private final TensorBytes bytes;
    private final Optional<Abbreviation> abbreviation;
    private final List<Long> wholeShape;

    private TensorView(String name, List<Long> shape, TensorBytes bytes) {
        this(name, shape, Layout.of(name, shape, bytes.size()), bytes, Optional.empty(), shape);
    }

    private TensorView(
            String name,
            List<Long> shape,
            Layout layout,
            TensorBytes bytes,
            Optional<Abbreviation> abbreviation,
            List<Long> wholeShape) {
        this.name = name;
        this.printedShape = List.copyOf(shape);
        this.layout = layout;
        this.dtype = layout.trouble().isEmpty() ? DType.of(name) : Optional.empty();
        this.size = Layout.count(layout.shape());
        this.bytes = bytes;
        this.abbreviation = abbreviation;
        this.wholeShape = List.copyOf(wholeShape);
    }

    /**
     * Creates a tensor of bytes.
     *
     * @param dtype name of the data type, which may be unknown
     * @param shape empty for a scalar
     * @param bytes the values, little-endian
     * @return a view of them
     */
    public static TensorView of(String dtype, List<Long> shape, TensorBytes bytes) {
        return new TensorView(dtype, shape, bytes);
    }

    /**
     * Creates a tensor from the part that a program wrote. It cannot be decoded, except for its {@link #written()} values.
     *
     * @param dtype name of the data type, which may be unknown
     * @param shape shape of the whole tensor, with {@link Abbreviation#UNKNOWN} for an unknown length
     * @param bytes the written values, little-endian
     * @param abbreviation the written part
     * @return a view of them
     */
    public static TensorView of(String dtype, List<Long> shape, TensorBytes bytes, Abbreviation abbreviation) {
        long count = Layout.count(shape);
        String trouble = "only %s of %s values were written"
                .formatted(
                        CountText.of(Layout.count(abbreviation.written())),
                        count < 0 ? "an unknown number of" : CountText.of(count));
        return new TensorView(
                dtype,
                shape,
                new Layout(shape, Layout.Place.BYTES, 0, trouble),
                bytes,
                Optional.of(abbreviation),
                shape);
    }

    /**
     * Creates a {@code float32} tensor of numbers, for example of expected ones.
     *
     * @param values row-major; they are copied
     * @param shape shape of the tensor; one dimension if omitted
     * @return an independent tensor
     * @throws IllegalArgumentException when the shape has another number of values
     */
    public static TensorView of(float[] values, long... shape) {
        return of(DType.FLOAT32, values.length, (buffer, i) -> buffer.putFloat(values[i]), shape);
    }

    /**
     * Creates a {@code float64} tensor of numbers, for example of expected ones.
     *
     * @param values row-major; they are copied
     * @param shape shape of the tensor; one dimension if omitted
     * @return an independent tensor
     * @throws IllegalArgumentException when the shape has another number of values
     */
    public static TensorView of(double[] values, long... shape) {
        return of(DType.FLOAT64, values.length, (buffer, i) -> buffer.putDouble(values[i]), shape);
    }

    /**
     * Creates an {@code int32} tensor of numbers, for example of expected ones.
     *
     * @param values row-major; they are copied
     * @param shape shape of the tensor; one dimension if omitted
     * @return an independent tensor
     * @throws IllegalArgumentException when the shape has another number of values
     */
    public static TensorView of(int[] values, long... shape) {
        return of(DType.INT32, values.length, (buffer, i) -> buffer.putInt(values[i]), shape);
    }

    /**
     * Creates an {@code int64} tensor of numbers, for example of expected ones.
     *
     * @param values row-major; they are copied
     * @param shape shape of the tensor; one dimension if omitted
     * @return an independent tensor
     * @throws IllegalArgumentException when the shape has another number of values
     */
    public static TensorView of(long[] values, long... shape) {
        return of(DType.INT64, values.length, (buffer, i) -> buffer.putLong(values[i]), shape);
    }

    private static TensorView of(DType dtype, int count, ObjIntConsumer<ByteBuffer> value, long... shape) {
        ByteBuffer buffer = ByteBuffer.allocate(Math.multiplyExact(count, dtype.bits() / Byte.SIZE))
                .order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            value.accept(buffer, i);
        }
        List<Long> dimensions = shape.length == 0 ? List.of((long) count) : dimensions(shape);
        if (Layout.count(dimensions) != count) {
            throw new IllegalArgumentException(
                    "%s values do not fill the shape %s".formatted(count, Layout.text(dimensions)));
        }
        return new TensorView(dtype.toString(), dimensions, TensorBytes.of(buffer.flip()));
    }

    private static List<Long> dimensions(long... shape) {
        return Arrays.stream(shape).boxed().toList();
    }

    /**
     * Returns the given name of the data type.
     *
     * @return the name, even when it is unknown
     */
    public String dtypeName() {
        return name;
    }

    /**
     * Returns the data type of the values.
     *
     * @return empty when they cannot be decoded
     */
    public Optional<DType> dtype() {
        return dtype;
    }

    /**
     * Returns the shape of the values. If the printed shape of a packed tensor ({@code _x4}) counts units, the last dimension here is four
     * times as long. A tensor that is not decoded may be a row of bytes.
     *
     * @return empty for a scalar
     */
    public List<Long> shape() {
        return layout.shape();
    }

    /**
     * Returns the given shape.
     *
     * @return differs from {@link #shape()} only for packed tensors and tensors that are not decoded
     */
    public List<Long> printedShape() {
        return printedShape;
    }

    /**
     * Returns the shape in Python syntax.
     *
     * @return such as {@code (128, 512)}, {@code (128,)} or {@code ()}
     */
    public String shapeText() {
        return shapeText(shape());
    }

    /**
     * Formats a shape in the style of NumPy.
     *
     * @param shape row-major
     * @return such as {@code (128, 512)}
     */
    public static String shapeText(List<Long> shape) {
        return Layout.text(shape);
    }

    /**
     * Returns whether a program wrote only a part of the values, such as {@code [0. 1. 2. ... 997. 998. 999.]}.
     *
     * @return true when values are missing
     */
    public boolean isAbbreviated() {
        return abbreviation.isPresent() && wholeShape.equals(printedShape);
    }

    /**
     * Returns the values that are known. For an abbreviated tensor, this is a smaller tensor with {@link #index indices} of the whole tensor.
     * They are negative, as in Python, where they are counted from the end of a dimension of unknown length.
     *
     * @return this tensor if it is complete
     */
    public TensorView written() {
        if (!isAbbreviated()) {
            return this;
        }
        List<Long> shape = abbreviation.orElseThrow().written();
        return new TensorView(name, shape, Layout.of(name, shape, bytes.size()), bytes, abbreviation, wholeShape);
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Optional<Abbreviation> abbreviation() {
        return abbreviation;
    }

    /**
     * Returns the reason why the values cannot be judged, for a message.
     *
     * @return a predicate such as {@code cannot be decoded: dtype "x" is unknown}
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public String notDecodable() {
        return (isAbbreviated() ? "is abbreviated: " : "cannot be decoded: ") + trouble();
    }

    /**
     * Returns the number of values.
     *
     * @return 1 for a scalar; may exceed the maximum size of an array; negative when it is unknown
     */
    public long size() {
        return size;
    }

    /**
     * Returns the unchanged bytes.
     *
     * @return little-endian
     */
    public TensorBytes bytes() {
        return bytes;
    }

    /**
     * Returns whether the values can be decoded.
     *
     * @return false when the data type is unknown or the size does not fit
     */
    public boolean isDecodable() {
        return dtype.isPresent();
    }

    /**
     * Returns the reason why the values cannot be decoded.
     *
     * @return empty when they can be decoded
     */
    public String trouble() {
        return layout.trouble();
    }

    /**
     * Returns one value. It is exact except for integers beyond 2<sup>53</sup>; use {@link #integer} for these.
     *
     * @param flat its row-major index
     * @return the value; 1 for true
     * @throws IndexOutOfBoundsException when there is no such value
     * @throws IllegalStateException when this tensor cannot be decoded
     */
    public double number(long flat) {
        DType known = known();
        return known.number(code(known, flat));
    }

    /**
     * Returns one exact integer value.
     *
     * @param flat its row-major index
     * @return the value, even beyond the range of {@code long}
     * @throws IndexOutOfBoundsException when there is no such value
     * @throws IllegalStateException when this tensor cannot be decoded or has fractions
     */
    public BigInteger integer(long flat) {
        DType known = known();
        return known.integer(code(known, flat));
    }

    /**
     * Returns the bits of one value.
     *
     * @param flat its row-major index
     * @return the bits in the least significant positions
     * @throws IndexOutOfBoundsException when there is no such value
     * @throws IllegalStateException when this tensor cannot be decoded
     */
    public long code(long flat) {
        return code(known(), flat);
    }

    private long code(DType known, long flat) {
        return layout.place().code(bytes, known.bits(), Objects.checkIndex(flat, size));
    }

    /**
     * Returns one value as text in the style of NumPy, or as hexadecimal digits when it cannot be decoded.
     *
     * @param flat its row-major index
     * @return such as {@code 0.1}, {@code nan} or {@code 0x3f80}
     * @throws IndexOutOfBoundsException when there is no such value
     */
    public String text(long flat) {
        return dtype.map(known -> known.text(code(known, flat))).orElseGet(() -> hexadecimal(flat));
    }

    private String hexadecimal(long flat) {
        long first = Objects.checkIndex(flat, size) * layout.width();
        StringBuilder text = new StringBuilder("0x");
        for (long i = layout.width() - 1; i >= 0; i--) {
            text.append(Character.forDigit(bytes.byteAt(first + i) >>> 4 & 0xF, 16))
                    .append(Character.forDigit(bytes.byteAt(first + i) & 0xF, 16));
        }
        return text.toString();
    }

    /**
     * Returns all values.
     *
     * @return row-major
     * @throws IllegalStateException when this tensor cannot be decoded, or has more values than the maximum size of an array
     */
    public double[] toDoubles() {
        double[] values = new double[arrayLength()];
        for (int i = 0; i < values.length; i++) {
            values[i] = number(i);
        }
        return values;
    }

    /**
     * Returns all values as {@code float}, rounded for data types of higher precision.
     *
     * @return row-major
     * @throws IllegalStateException when this tensor cannot be decoded, or has more values than the maximum size of an array
     */
    public float[] toFloats() {
        float[] values = new float[arrayLength()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) number(i);
        }
        return values;
    }

    private int arrayLength() {
        known();
        if (size > Integer.MAX_VALUE) {
            throw new IllegalStateException(
                    "%s values are more than an array holds; read single values".formatted(size));
        }
        return (int) size;
    }

    /**
     * Counts the values that satisfy a condition.
     *
     * @param what such as {@code Double::isNaN}
     * @return the number of values; 0 when the tensor cannot be decoded
     */
    public long count(DoublePredicate what) {
        long count = 0;
        for (long i = 0; isDecodable() && i < size; i++) {
            count += what.test(number(i)) ? 1 : 0;
        }
        return count;
    }

    /**
     * Finds the first value that satisfies a condition.
     *
     * @param what such as {@code Double::isNaN}
     * @return its row-major index; empty when there is none, or the tensor cannot be decoded
     */
    public OptionalLong first(DoublePredicate what) {
        for (long i = 0; isDecodable() && i < size; i++) {
            if (what.test(number(i))) {
                return OptionalLong.of(i);
            }
        }
        return OptionalLong.empty();
    }

    /**
     * Returns the row-major index of a value.
     *
     * @param index one index for each dimension
     * @return from 0
     * @throws IndexOutOfBoundsException when there is no such value
     */
    public long flat(long... index) {
        if (index.length != shape().size()) {
            throw new IndexOutOfBoundsException("%s indices for the shape %s".formatted(index.length, shapeText()));
        }
        long flat = 0;
        for (int i = 0; i < index.length; i++) {
            flat = flat * shape().get(i) + Objects.checkIndex(index[i], shape().get(i));
        }
        return flat;
    }

    /**
     * Returns the indices of a value.
     *
     * @param flat its row-major index
     * @return one index for each dimension
     * @throws IndexOutOfBoundsException when there is no such value
     */
    public List<Long> index(long flat) {
        long remainder = Objects.checkIndex(flat, size);
        Long[] index = new Long[shape().size()];
        for (int i = index.length - 1; i >= 0; i--) {
            long place = remainder % shape().get(i);
            int dimension = i;
            index[i] = abbreviation
                    .map(part -> part.index(dimension, place, wholeShape.get(dimension)))
                    .orElse(place);
            remainder /= shape().get(i);
        }
        return List.of(index);
    }

    /**
     * Creates a view of the same bytes with another data type and shape.
     *
     * @param dtype name of the data type
     * @param shape the correct shape
     * @return a new view of the bytes
     */
    public TensorView reinterpret(String dtype, long... shape) {
        return new TensorView(dtype, dimensions(shape), bytes);
    }

    private DType known() {
        return dtype.orElseThrow(() -> new IllegalStateException(
                "%s; reinterpret(dtype, shape...) reads the bytes another way".formatted(trouble())));
    }

    /**
     * Returns data type, shape and values. For more than 1,000 values, it contains only the first and last three of each dimension.
     *
     * @return lines of text in the style of NumPy
     */
    @Override
    public String toString() {
        return "%s %s\n%s".formatted(name, shapeText(), TensorText.of(this));
    }
}
