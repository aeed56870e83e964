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
 * The output that a kernel prints on the device during an execution: one tensor with a prefix, or many. It reaches a process that reads
 * the debug stream of the core.
 *
 * <pre>{@code
 * host.runtime().neff("acc")
 *         .print(FakePrint.of("acc", "float32", 4, 4).arange())
 *         .print(FakePrint.of("step", "int32", 1).times(1000).sequence());
 * }</pre>
 *
 * <p>Immutable: every method returns another print.
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

    /** Largest number in a field of 32 bits. */
    private static final long LARGEST_FIELD = 0xFFFF_FFFFL;

    /** Maximum size in bytes of the data of a print that a command describes. */
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
     * Creates a print of a tensor of zeros.
     *
     * @param prefix the prefix, at most 511 bytes of UTF-8
     * @param dtype the name of an element type as in device prints, such as {@code bfloat16}
     * @param shape at most 8 dimensions of at least 1; none for a single element
     * @return the print
     * @throws IllegalArgumentException when there is no such element type or shape, or the prefix is too long
     */
    public static FakePrint of(String prefix, String dtype, long... shape) {
        Element element = Element.named(dtype);
        return of(prefix, dtype, shape, Fill.parse("zeros").encode(element, Element.units(shape)));
    }

    /**
     * Creates a print of a tensor without checks: the element type may be unknown, and the shape may have any values.
     *
     * @param prefix the prefix, at most 511 bytes of UTF-8
     * @param dtype the element type, at most 16 bytes
     * @param shape at most 8 dimensions
     * @param data the bytes of the tensor
     * @return the print
     * @throws IllegalArgumentException when the prefix, the element type or the shape is too long
     */
    public static FakePrint of(String prefix, String dtype, long[] shape, byte[] data) {
        byte[] text = prefix.getBytes(StandardCharsets.UTF_8);
        if (text.length >= PREFIX) {
            throw new IllegalArgumentException(
                    "a prefix has at most " + (PREFIX - 1) + " bytes, but this one has " + text.length);
        }
        if (dtype.getBytes(StandardCharsets.UTF_8).length > LONGEST_DTYPE || shape.length > MOST_DIMENSIONS) {
            throw new IllegalArgumentException("the element type of a print has at most " + LONGEST_DTYPE
                    + " bytes and its shape at most " + MOST_DIMENSIONS + " dimensions, but this print has " + dtype
                    + " and "
                    + Arrays.toString(shape));
        }
        return new FakePrint(text, dtype, shape.clone(), data.clone(), 0, 1, NOTHING, OptionalLong.empty());
    }

    /**
     * Parses a print in the form of the command {@code neff}.
     *
     * @param text {@code PREFIX DTYPE SHAPE FILL [pipe=N] [times=N] [core=N] [sequence]}. The shape is such as {@code 4x4}, or
     *     {@code -} for a single element. The fill is {@code hex:00ff}, or {@code zeros}, {@code ones}, {@code arange} or {@code fill:2.5},
     *     optionally followed by {@code @3=NaN}.
     * @return the print
     * @throws IllegalArgumentException when the text does not have this form
     */
    public static FakePrint parse(String text) {
        List<String> words = Stream.of(text.strip().split("\\s+"))
                .filter(word -> !word.isEmpty())
                .toList();
        if (words.size() < 4) {
            throw new IllegalArgumentException(
                    "a print has the form PREFIX DTYPE SHAPE FILL [pipe=N] [times=N] [core=N] [sequence], not \"" + text
                            + "\"");
        }
        long[] shape = Element.shape(words.get(2));
        long bytes = Element.named(words.get(1)).bytes(Element.units(shape));
        if (bytes > LARGEST_PARSED) {
            throw new IllegalArgumentException("a print of %s %s has %s bytes, but at most %s are allowed"
                    .formatted(words.get(1), words.get(2), bytes, LARGEST_PARSED));
        }
        FakePrint print = of(words.get(0), words.get(1), shape).filled(words.get(3));
        boolean sequence = false;
        for (String option : words.subList(4, words.size())) {
            int equals = option.indexOf('=');
            switch (equals < 0 ? option : option.substring(0, equals)) {
                case "pipe" -> print = print.pipe((int) number(option, LARGEST_FIELD));
                case "times" -> print = print.times(number(option, Long.MAX_VALUE));
                case "core" -> print = print.coreId(number(option, LARGEST_FIELD));
                case "sequence" -> sequence = true;
                default -> throw new IllegalArgumentException("a print has no option " + option);
            }
        }
        return sequence ? print.sequence() : print;
    }

    private static long number(String option, long most) {
        String text = option.substring(option.indexOf('=') + 1);
        if (!text.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException(option + " requires a whole number");
        }
        long number = Long.parseLong(text);
        if (number > most) {
            throw new IllegalArgumentException(option + " is too large: the largest number is " + most);
        }
        return number;
    }

    /**
     * Returns a copy with the elements 0, 1, 2 and so on, rounded to values of the element type.
     *
     * @return another print
     */
    public FakePrint arange() {
        return filled("arange");
    }

    /**
     * Returns a copy in which all elements are one.
     *
     * @return another print
     */
    public FakePrint ones() {
        return filled("ones");
    }

    /**
     * Returns a copy in which all elements have the same value.
     *
     * @param value the value, rounded to a value of the element type
     * @return another print
     */
    public FakePrint fill(double value) {
        return filled("fill:" + value);
    }

    private FakePrint filled(String word) {
        return with(Fill.parse(word).encode(Element.named(dtype), Element.units(shape)));
    }

    /**
     * Returns a copy with another value at one index.
     *
     * @param index the index of the element, counted through all dimensions
     * @param value the value, rounded to a value of the element type
     * @return another print
     * @throws IllegalArgumentException when there is no such element, or elements are packed
     */
    public FakePrint value(long index, double value) {
        Element element = Element.named(dtype);
        if (element.packed() > 1) {
            throw new IllegalArgumentException("elements of " + dtype
                    + " are packed and cannot be set one by one: pass the bytes of all elements to FakePrint.of");
        }
        byte[] encoded = element.encode(value);
        byte[] changed = data.clone();
        if (index < 0 || (index + 1) * encoded.length > data.length) {
            throw new IllegalArgumentException(
                    "no element " + index + " in " + Arrays.toString(shape) + " of " + dtype);
        }
        System.arraycopy(encoded, 0, changed, Math.toIntExact(index * encoded.length), encoded.length);
        return with(changed);
    }

    /**
     * Returns a copy with NaN at one index.
     *
     * @param index the index of the element, counted through all dimensions
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
     * Returns a copy for another output stream of the program.
     *
     * @param number 0 for standard output (the default), 1 for standard error
     * @return another print
     */
    public FakePrint pipe(int number) {
        return new FakePrint(prefix, dtype, shape, data, number, times, elements, core);
    }

    /**
     * Returns a copy that is printed several times in a row.
     *
     * @param number the number of events of each execution
     * @return another print
     * @throws IllegalArgumentException when it is less than 1
     */
    public FakePrint times(long number) {
        if (number < 1) {
            throw new IllegalArgumentException("a print must have at least 1 event, not " + number);
        }
        return new FakePrint(prefix, dtype, shape, data, pipe, number, numbers(number, elements.length > 0), core);
    }

    /**
     * Returns a copy with a sequence number in the first element. The events of each execution count 0, 1, 2 and so on, which makes lost
     * events visible.
     *
     * @return another print
     * @throws IllegalArgumentException when the elements are packed, the element type cannot count so far, or there are more than a
     *     million events
     */
    public FakePrint sequence() {
        return new FakePrint(prefix, dtype, shape, data, pipe, times, numbers(times, true), core);
    }

    private byte[] numbers(long count, boolean numbered) {
        if (!numbered) {
            return NOTHING;
        }
        Element element = Element.named(dtype);
        if (element.packed() > 1) {
            throw new IllegalArgumentException(
                    "elements of " + dtype + " are packed and cannot hold a sequence number");
        }
        if (count > MOST_NUMBERED) {
            throw new IllegalArgumentException(
                    "a sequence has at most %s events, not %s".formatted(MOST_NUMBERED, count));
        }
        byte[] all = element.encode(LongStream.range(0, count).asDoubleStream().toArray());
        int size = all.length / (int) count;
        long different = IntStream.range(0, (int) count)
                .mapToObj(i -> ByteBuffer.wrap(all, i * size, size))
                .distinct()
                .count();
        if (different < count) {
            throw new IllegalArgumentException(dtype + " cannot represent all numbers from 0 to " + (count - 1));
        }
        return all;
    }

    /**
     * Returns a copy with another core id than that of the stream.
     *
     * @param number the core id in the event, 32 bits
     * @return another print
     */
    public FakePrint coreId(long number) {
        return new FakePrint(prefix, dtype, shape, data, pipe, times, elements, OptionalLong.of(number));
    }

    /**
     * Returns the payload of the first event. A test can corrupt it and pass it to {@link NeffScript#event(long, long, byte[])}.
     *
     * @param logicalCore the core that prints, as the process counts it
     * @return 1024 bytes of header, followed by the tensor
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

    /** Returns the memory that the print takes, in bytes. */
    long held() {
        return (long) data.length + elements.length;
    }

    Event event(long logicalCore) {
        byte[] payload = payload(logicalCore);
        return new Event(TENSOR_READ, payload.length, payload, times, DATA, elements);
    }

    /** Returns text such as {@code acc float32 4x4}. */
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
