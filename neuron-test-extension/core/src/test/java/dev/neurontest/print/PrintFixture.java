package dev.neurontest.print;

import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.MeasuredTest;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.tensor.TensorBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntToDoubleFunction;

/** A feed in memory, to which a test adds prints. */
public final class PrintFixture implements PrintFeed {

    /** A passed test, for the heading of the picture. */
    public static final MeasuredTest PASSED =
            new MeasuredTest("PrintTest > accumulates()", List.of("neuron0/neuron_core1"), Judgement.NOTHING, true);

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    private final List<DevicePrint> prints = new CopyOnWriteArrayList<>();
    private final List<OddEvent> odd = new CopyOnWriteArrayList<>();
    private final List<PrintDoubt> doubts = new CopyOnWriteArrayList<>();
    private int settled;

    /** Creates an empty feed. */
    public PrintFixture() {}

    /**
     * Returns the prints of a test without names for its cores.
     *
     * @return a live view
     */
    public DevicePrints live() {
        return DevicePrints.of(this, List.of());
    }

    /**
     * Adds a print of core 0 with values of {@code float32}.
     *
     * @param prefix of the print
     * @param values in one row
     * @return this
     */
    public PrintFixture floats(String prefix, float... values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            bytes.putFloat(value);
        }
        return print(0, prefix, "float32", List.of((long) values.length), bytes.array());
    }

    /**
     * Adds a print of core 0 with values of {@code bfloat16}, truncated instead of rounded.
     *
     * @param prefix of the print
     * @param rows of the tile
     * @param columns of the tile
     * @param value by its row-major index
     * @return this
     */
    public PrintFixture tile(String prefix, int rows, int columns, IntToDoubleFunction value) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * rows * columns).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < rows * columns; i++) {
            bytes.putShort((short) (Float.floatToIntBits((float) value.applyAsDouble(i)) >>> 16));
        }
        return print(0, prefix, "bfloat16", List.of((long) rows, (long) columns), bytes.array());
    }

    /**
     * Adds a print.
     *
     * @param core of the print
     * @param prefix of the print
     * @param dtype by name
     * @param shape of the print
     * @param data of the print
     * @return this
     */
    public PrintFixture print(int core, String prefix, String dtype, List<Long> shape, byte... data) {
        int order = prints.size() + odd.size();
        prints.add(new DevicePrint(
                order,
                NOON.plusMillis(order),
                PrintOrigin.STREAM,
                core,
                core,
                0,
                prefix,
                dtype,
                shape,
                TensorBytes.of(data),
                TensorBytes.of(new byte[416])));
        return this;
    }

    /**
     * Adds an event that is no print.
     *
     * @param reason why it is none
     * @return this
     */
    public PrintFixture odd(String reason) {
        int order = prints.size() + odd.size();
        byte[] header = new byte[64];
        Arrays.fill(header, (byte) 7);
        odd.add(new OddEvent(
                order,
                NOON.plusMillis(order),
                PrintOrigin.STREAM,
                0,
                7,
                reason,
                Optional.empty(),
                TensorBytes.of(header),
                TensorBytes.of(new byte[] {1, 2})));
        return this;
    }

    /**
     * Adds a doubt.
     *
     * @param kind of the doubt
     * @param reason for the doubt
     * @return this
     */
    public PrintFixture doubt(PrintDoubt.Kind kind, String reason) {
        doubts.add(new PrintDoubt(kind, reason));
        return this;
    }

    /**
     * Returns the number of waits for the feed to settle.
     *
     * @return 0 or more
     */
    public int settled() {
        return settled;
    }

    @Override
    public void settle() {
        settled++;
    }

    @Override
    public List<DevicePrint> prints() {
        return List.copyOf(prints);
    }

    @Override
    public List<OddEvent> oddEvents() {
        return odd;
    }

    @Override
    public List<PrintDoubt> doubts() {
        return doubts;
    }
}
