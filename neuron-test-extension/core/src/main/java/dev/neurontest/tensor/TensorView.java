package dev.neurontest.tensor;

import dev.neurontest.internal.tensor.Layout;
import dev.neurontest.internal.tensor.TensorText;
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
 * A tensor that decodes a value when it is asked for it, and copies nothing. Values are row-major.
 *
 * <p>A tensor whose dtype is not known, or whose bytes are more or fewer than its shape takes, can be looked at all the same: its
 * elements are text in hexadecimal digits, {@link #trouble()} says why, and {@link #reinterpret} reads it as something else.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class TensorView {

    private final String name;
    private final Optional<DType> dtype;
    private final List<Long> printedShape;
    private final Layout layout;
    private final long size;
    private final TensorBytes bytes;

    private TensorView(String name, List<Long> shape, TensorBytes bytes) {
        this.name = name;
        this.printedShape = List.copyOf(shape);
        this.layout = Layout.of(name, printedShape, bytes.size());
        this.dtype = layout.trouble().isEmpty() ? DType.of(name) : Optional.empty();
        this.size = Layout.count(layout.shape());
        this.bytes = bytes;
    }

    /**
     * A tensor of bytes.
     *
     * @param dtype its name, which need not be known
     * @param shape empty for a scalar
     * @param bytes the values, little-endian
     * @return a view of them
     */
    public static TensorView of(String dtype, List<Long> shape, TensorBytes bytes) {
        return new TensorView(dtype, shape, bytes);
    }

    /**
     * A {@code float32} tensor of numbers, such as expected ones.
     *
     * @param values row-major; they are copied
     * @param shape one dimension when it is left out
     * @return a tensor of its own
     * @throws IllegalArgumentException when the shape has more or fewer values
     */
    public static TensorView of(float[] values, long... shape) {
        return of(DType.FLOAT32, values.length, (buffer, i) -> buffer.putFloat(values[i]), shape);
    }

    /**
     * A {@code float64} tensor of numbers, such as expected ones.
     *
     * @param values row-major; they are copied
     * @param shape one dimension when it is left out
     * @return a tensor of its own
     * @throws IllegalArgumentException when the shape has more or fewer values
     */
    public static TensorView of(double[] values, long... shape) {
        return of(DType.FLOAT64, values.length, (buffer, i) -> buffer.putDouble(values[i]), shape);
    }

    /**
     * An {@code int32} tensor of numbers, such as expected ones.
     *
     * @param values row-major; they are copied
     * @param shape one dimension when it is left out
     * @return a tensor of its own
     * @throws IllegalArgumentException when the shape has more or fewer values
     */
    public static TensorView of(int[] values, long... shape) {
        return of(DType.INT32, values.length, (buffer, i) -> buffer.putInt(values[i]), shape);
    }

    /**
     * An {@code int64} tensor of numbers, such as expected ones.
     *
     * @param values row-major; they are copied
     * @param shape one dimension when it is left out
     * @return a tensor of its own
     * @throws IllegalArgumentException when the shape has more or fewer values
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
     * The name of the dtype as it was given.
     *
     * @return also when it is not known
     */
    public String dtypeName() {
        return name;
    }

    /**
     * What the values are.
     *
     * @return empty when they cannot be decoded
     */
    public Optional<DType> dtype() {
        return dtype;
    }

    /**
     * How the values are arranged. A packed tensor ({@code _x4}) whose printed shape counts units has a last dimension four times as
     * long, and a tensor that is not decoded may be a row of bytes.
     *
     * @return empty for a scalar
     */
    public List<Long> shape() {
        return layout.shape();
    }

    /**
     * The shape as it was given.
     *
     * @return differs from {@link #shape()} only for packed tensors and those that are not decoded
     */
    public List<Long> printedShape() {
        return printedShape;
    }

    /**
     * The shape as Python writes it.
     *
     * @return such as {@code (128, 512)}, {@code (128,)} or {@code ()}
     */
    public String shapeText() {
        return shapeText(shape());
    }

    /**
     * A shape as NumPy writes it.
     *
     * @param shape row-major
     * @return such as {@code (128, 512)}
     */
    public static String shapeText(List<Long> shape) {
        return Layout.text(shape);
    }

    /**
     * How many values there are.
     *
     * @return 1 for a scalar; may be more than an array holds
     */
    public long size() {
        return size;
    }

    /**
     * The bytes as they came.
     *
     * @return little-endian
     */
    public TensorBytes bytes() {
        return bytes;
    }

    /**
     * Whether there are numbers.
     *
     * @return false when the dtype is not known or the size does not fit
     */
    public boolean isDecodable() {
        return dtype.isPresent();
    }

    /**
     * Why there are no numbers.
     *
     * @return empty when there are
     */
    public String trouble() {
        return layout.trouble();
    }

    /**
     * One value. It is exact but for whole numbers beyond 2<sup>53</sup>, which {@link #integer} has.
     *
     * @param flat its row-major index
     * @return true is 1
     * @throws IndexOutOfBoundsException when there is no such value
     * @throws IllegalStateException when this tensor cannot be decoded
     */
    public double number(long flat) {
        DType known = known();
        return known.number(code(known, flat));
    }

    /**
     * One whole number, exactly.
     *
     * @param flat its row-major index
     * @return also beyond what a {@code long} holds
     * @throws IndexOutOfBoundsException when there is no such value
     * @throws IllegalStateException when this tensor cannot be decoded or has fractions
     */
    public BigInteger integer(long flat) {
        DType known = known();
        return known.integer(code(known, flat));
    }

    /**
     * The bits of one value.
     *
     * @param flat its row-major index
     * @return in the lowest bits
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
     * One value as NumPy writes it; hexadecimal digits when it cannot be decoded.
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
     * All values.
     *
     * @return row-major
     * @throws IllegalStateException when this tensor cannot be decoded, or has more values than an array holds
     */
    public double[] toDoubles() {
        double[] values = new double[arrayLength()];
        for (int i = 0; i < values.length; i++) {
            values[i] = number(i);
        }
        return values;
    }

    /**
     * All values as {@code float}, rounded where their dtype has more digits.
     *
     * @return row-major
     * @throws IllegalStateException when this tensor cannot be decoded, or has more values than an array holds
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
                    "%s values are more than an array holds; ask for single ones".formatted(size));
        }
        return (int) size;
    }

    /**
     * How many values are so.
     *
     * @param what such as {@code Double::isNaN}
     * @return 0 when the tensor cannot be decoded, too
     */
    public long count(DoublePredicate what) {
        long count = 0;
        for (long i = 0; isDecodable() && i < size; i++) {
            count += what.test(number(i)) ? 1 : 0;
        }
        return count;
    }

    /**
     * Where the first value is that is so.
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
     * The row-major index of a value.
     *
     * @param index one for each dimension
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
     * The indices of a value.
     *
     * @param flat its row-major index
     * @return one for each dimension
     * @throws IndexOutOfBoundsException when there is no such value
     */
    public List<Long> index(long flat) {
        long rest = Objects.checkIndex(flat, size);
        Long[] index = new Long[shape().size()];
        for (int i = index.length - 1; i >= 0; i--) {
            index[i] = rest % shape().get(i);
            rest /= shape().get(i);
        }
        return List.of(index);
    }

    /**
     * The same bytes read another way.
     *
     * @param dtype its name
     * @param shape as it should have been
     * @return another view of them
     */
    public TensorView reinterpret(String dtype, long... shape) {
        return new TensorView(dtype, dimensions(shape), bytes);
    }

    private DType known() {
        return dtype.orElseThrow(() -> new IllegalStateException(
                "%s; reinterpret(dtype, shape...) reads the bytes another way".formatted(trouble())));
    }

    /**
     * Dtype, shape and values; of more than 1,000 values the first and last three of each dimension.
     *
     * @return lines of text, as NumPy writes arrays
     */
    @Override
    public String toString() {
        return "%s %s\n%s".formatted(name, shapeText(), TensorText.of(this));
    }
}
