package dev.neurontest.fake;

import dev.neurontest.fake.internal.runtime.Element;
import dev.neurontest.fake.internal.runtime.Event;
import dev.neurontest.fake.internal.runtime.Fill;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What a kernel prints on the device when it is executed: a tensor with a prefix, or many of them. It reaches a process that reads
 * the debug stream of the core.
 *
 * <pre>{@code
 * host.runtime().neff("acc")
 *         .print(FakePrint.of("acc", "float32", 4, 4).arange())
 *         .print(FakePrint.of("step", "int32", 1).times(1000).sequence());
 * }</pre>
 *
 * <p>Immutable: every method gives another print.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FakePrint {

    private static final long TENSOR_READ = 1;
    private static final int LONGEST_DTYPE = 16;
    private static final int MOST_DIMENSIONS = 8;
    private static final int PREFIX = 512;
    private static final int CORE_AT = 512;
    private static final int PIPE_AT = 516;
    private static final int DTYPE_AT = 520;
    private static final int SHAPE_AT = 536;
    private static final int DATA_SIZE_AT = 600;
    private static final int DATA = 1024;
    private static final int MOST_NUMBERED = 1_000_000;

    /** Of one that a command describes in a few words. */
    private static final int LARGEST_PARSED = 16 << 20;

    private static final byte[] NOTHING = {};

    private final byte[] prefix;
    private final String dtype;
    private final long[] shape;
    private final byte[] data;
    private final int pipe;
    private final long times;
    private final byte[] elements;
    private final OptionalLong core;

    private FakePrint(
            byte[] prefix,
            String dtype,
            long[] shape,
            byte[] data,
            int pipe,
            long times,
            byte[] elements,
            OptionalLong core) {
        this.prefix = prefix;
        this.dtype = dtype;
        this.shape = shape;
        this.data = data;
        this.pipe = pipe;
        this.times = times;
        this.elements = elements;
        this.core = core;
    }

    /**
     * A tensor of zeros.
     *
     * @param prefix at most 511 bytes of UTF-8
     * @param dtype an element type by the name that device prints have for it, such as {@code bfloat16}
     * @param shape at most 8 dimensions of at least 1; none for a single element
     * @return the print
     * @throws IllegalArgumentException when there is no such element type or shape, or the prefix is too long
     */
    public static FakePrint of(String prefix, String dtype, long... shape) {
        Element element = Element.named(dtype);
        return of(prefix, dtype, shape, Fill.encode("zeros", element, Element.units(shape)));
    }

    /**
     * A tensor of which nothing is checked: its element type may be unknown and its shape may be anything.
     *
     * @param prefix at most 511 bytes of UTF-8
     * @param dtype at most 16 bytes
     * @param shape at most 8 dimensions
     * @param data its bytes
     * @return the print
     * @throws IllegalArgumentException when the prefix, the element type or the shape has no room
     */
    public static FakePrint of(String prefix, String dtype, long[] shape, byte[] data) {
        byte[] text = prefix.getBytes(StandardCharsets.UTF_8);
        if (text.length >= PREFIX) {
            throw new IllegalArgumentException(
                    "a prefix has at most " + (PREFIX - 1) + " bytes, this one " + text.length);
        }
        if (dtype.getBytes(StandardCharsets.UTF_8).length > LONGEST_DTYPE || shape.length > MOST_DIMENSIONS) {
            throw new IllegalArgumentException(
                    "no print has room for the element type " + dtype + " and the shape " + Arrays.toString(shape));
        }
        return new FakePrint(text, dtype, shape.clone(), data.clone(), 0, 1, NOTHING, OptionalLong.empty());
    }

    /**
     * Reads a print as the command {@code neff} has it.
     *
     * @param text {@code PREFIX DTYPE SHAPE FILL [pipe=N] [times=N] [core=N] [sequence]}: the shape such as {@code 4x4}, or
     *     {@code -} for a single element; {@code zeros}, {@code ones}, {@code arange} or {@code fill:2.5}, maybe with
     *     {@code @3=NaN} behind it, or {@code hex:00ff}
     * @return the print
     * @throws IllegalArgumentException when it is anything else
     */
    public static FakePrint parse(String text) {
        List<String> words = Stream.of(text.strip().split("\\s+"))
                .filter(word -> !word.isEmpty())
                .toList();
        if (words.size() < 4) {
            throw new IllegalArgumentException(
                    "a print is PREFIX DTYPE SHAPE FILL [pipe=N] [times=N] [core=N] [sequence], not \"" + text + "\"");
        }
        long[] shape = Element.shape(words.get(2));
        long bytes = Element.named(words.get(1)).bytes(Element.units(shape));
        if (bytes > LARGEST_PARSED) {
            throw new IllegalArgumentException("a print of %s %s has %s bytes, at most %s can be"
                    .formatted(words.get(1), words.get(2), bytes, LARGEST_PARSED));
        }
        FakePrint print = of(words.get(0), words.get(1), shape).filled(words.get(3));
        boolean sequence = false;
        for (String option : words.subList(4, words.size())) {
            int equals = option.indexOf('=');
            switch (equals < 0 ? option : option.substring(0, equals)) {
                case "pipe" -> print = print.pipe((int) number(option));
                case "times" -> print = print.times(number(option));
                case "core" -> print = print.coreId(number(option));
                case "sequence" -> sequence = true;
                default -> throw new IllegalArgumentException("a print has no option " + option);
            }
        }
        return sequence ? print.sequence() : print;
    }

    private static long number(String option) {
        String text = option.substring(option.indexOf('=') + 1);
        if (!text.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException(option + " has no whole number");
        }
        return Long.parseLong(text);
    }

    /**
     * The same with elements 0, 1, 2 and so on, rounded to what the element type has.
     *
     * @return another print
     */
    public FakePrint arange() {
        return filled("arange");
    }

    /**
     * The same with nothing but ones.
     *
     * @return another print
     */
    public FakePrint ones() {
        return filled("ones");
    }

    /**
     * The same with nothing but one value.
     *
     * @param value rounded to what the element type has
     * @return another print
     */
    public FakePrint fill(double value) {
        return filled("fill:" + value);
    }

    private FakePrint filled(String word) {
        return with(Fill.encode(word, Element.named(dtype), Element.units(shape)));
    }

    /**
     * The same with another value at one place.
     *
     * @param index of the element, counted through all dimensions
     * @param value rounded to what the element type has
     * @return another print
     * @throws IllegalArgumentException when there is no such element, or elements are packed
     */
    public FakePrint value(long index, double value) {
        Element element = Element.named(dtype);
        if (element.packed() > 1) {
            throw new IllegalArgumentException("elements of " + dtype + " are packed; give all values");
        }
        byte[] one = element.encode(value);
        byte[] changed = data.clone();
        if (index < 0 || (index + 1) * one.length > data.length) {
            throw new IllegalArgumentException(
                    "no element " + index + " in " + Arrays.toString(shape) + " of " + dtype);
        }
        System.arraycopy(one, 0, changed, Math.toIntExact(index * one.length), one.length);
        return with(changed);
    }

    /**
     * The same with NaN at one place.
     *
     * @param index of the element, counted through all dimensions
     * @return another print
     * @throws IllegalArgumentException when there is no such element, or the element type has no NaN
     */
    public FakePrint nan(long index) {
        return value(index, Double.NaN);
    }

    private FakePrint with(byte[] changed) {
        return new FakePrint(prefix, dtype, shape, changed, pipe, times, elements, core);
    }

    /**
     * The same for another stream of the program.
     *
     * @param number 0 for standard output, which it is without this, 1 for standard error
     * @return another print
     */
    public FakePrint pipe(int number) {
        return new FakePrint(prefix, dtype, shape, data, number, times, elements, core);
    }

    /**
     * The same several times in a row.
     *
     * @param number how many events each execution makes
     * @return another print
     * @throws IllegalArgumentException when it is less than 1
     */
    public FakePrint times(long number) {
        if (number < 1) {
            throw new IllegalArgumentException("nothing can be printed " + number + " times");
        }
        return new FakePrint(prefix, dtype, shape, data, pipe, number, numbers(number, elements.length > 0), core);
    }

    /**
     * The same with a first element that counts its events: 0, 1, 2 and so on in every execution, so that loss can be seen.
     *
     * @return another print
     * @throws IllegalArgumentException when elements are packed, or the element type cannot count so far, or these are more than a
     *     million
     */
    public FakePrint sequence() {
        return new FakePrint(prefix, dtype, shape, data, pipe, times, numbers(times, true), core);
    }

    private byte[] numbers(long count, boolean wanted) {
        if (!wanted) {
            return NOTHING;
        }
        Element element = Element.named(dtype);
        if (element.packed() > 1) {
            throw new IllegalArgumentException("elements of " + dtype + " are packed and cannot count");
        }
        if (count > MOST_NUMBERED) {
            throw new IllegalArgumentException("at most %s events count, not %s".formatted(MOST_NUMBERED, count));
        }
        byte[] all = element.encode(LongStream.range(0, count).asDoubleStream().toArray());
        int size = all.length / (int) count;
        long different = IntStream.range(0, (int) count)
                .mapToObj(i -> ByteBuffer.wrap(all, i * size, size))
                .distinct()
                .count();
        if (different < count) {
            throw new IllegalArgumentException(dtype + " cannot count to " + (count - 1));
        }
        return all;
    }

    /**
     * The same with an id of a core that is not that of the stream.
     *
     * @param number what the event says, 32 bits
     * @return another print
     */
    public FakePrint coreId(long number) {
        return new FakePrint(prefix, dtype, shape, data, pipe, times, elements, OptionalLong.of(number));
    }

    /**
     * The payload of its first event, such as for {@link NeffScript#event(long, long, byte[])} to spoil.
     *
     * @param logicalCore the core that prints, as the process counts it
     * @return 1024 bytes and the tensor
     */
    public byte[] payload(long logicalCore) {
        ByteBuffer payload =
                ByteBuffer.allocate(Math.addExact(DATA, data.length)).order(ByteOrder.LITTLE_ENDIAN);
        payload.put(0, prefix);
        payload.putInt(CORE_AT, (int) core.orElse(logicalCore)).putInt(PIPE_AT, pipe);
        payload.put(DTYPE_AT, dtype.getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < shape.length; i++) {
            payload.putLong(SHAPE_AT + i * Long.BYTES, shape[i]);
        }
        payload.putLong(DATA_SIZE_AT, data.length);
        payload.put(DATA, data);
        return payload.array();
    }

    /** How many bytes of memory it takes. */
    long held() {
        return (long) data.length + elements.length;
    }

    Event event(long logicalCore) {
        byte[] payload = payload(logicalCore);
        return new Event(TENSOR_READ, payload.length, payload, times, DATA, elements);
    }

    /** Such as {@code acc float32 4x4}. */
    @Override
    public String toString() {
        String text = shape.length == 0
                ? "-"
                : LongStream.of(shape).mapToObj(Long::toUnsignedString).collect(Collectors.joining("x"));
        return new String(prefix, StandardCharsets.UTF_8) + " " + dtype + " " + text
                + (times > 1 ? " times=" + times : "");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FakePrint print
                && times == print.times
                && Arrays.equals(elements, print.elements)
                && Arrays.equals(payload(0), print.payload(0));
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(payload(0));
    }
}
