package dev.neurontest.internal.print.stream;

import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintOrigin;
import dev.neurontest.tensor.TensorBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An event in a {@link PrintLog}: these fields, little-endian, followed by its content. The content of a print is its prefix, the fields
 * of its fixed part, the reserved bytes unless all are zero, and its values. The content of another event is its unchanged header and
 * payload.
 *
 * @param place position in the log
 * @param order order of arrival, from 0
 * @param arrived nanoseconds since 1970
 * @param promised size of the payload according to the header
 * @param available bytes of the payload that arrived
 * @param type type in the header
 * @param core core of the stream
 * @param prefix length of the prefix; -1 for an event that is not a print
 * @param reserved length of the reserved bytes that follow
 */
record LoggedEvent(
        long place,
        long order,
        long arrived,
        long promised,
        long available,
        int type,
        int core,
        int prefix,
        int reserved) {

    /** Maximum length of the data before the values of a print. */
    static final int LONGEST_HEAD = 4 * Long.BYTES + 4 * Integer.BYTES + PrintLayout.DATA;

    private static final int FIELDS = 4 * Long.BYTES + 4 * Integer.BYTES;
    private static final int ODD = -1;
    private static final int OF_PRINT = PrintLayout.RESERVED - PrintLayout.CORE;
    private static final TensorBytes NO_RESERVED = TensorBytes.of(new byte[PrintLayout.RESERVED_SIZE]);
    private static final long NANOS = 1_000_000_000;

    /**
     * Creates the description of an event before it is appended.
     *
     * @param fixed fixed part of a print; null for an event that is not a print
     */
    static LoggedEvent of(
            long order, long arrived, PrintEventSource event, long available, int core, @Nullable ByteBuffer fixed) {
        return new LoggedEvent(
                -1,
                order,
                arrived,
                event.size(),
                available,
                (int) event.type(),
                core,
                fixed == null ? ODD : PrintLayout.prefixLength(fixed),
                fixed == null || PrintLayout.isReservedZero(fixed) ? 0 : PrintLayout.RESERVED_SIZE);
    }

    /** Appends the event, including the fixed part of a print. */
    long append(PrintLog log, ByteBuffer head, PrintEventSource event, ByteBuffer fixed) throws IOException {
        head.clear();
        head.putLong(order).putLong(arrived).putLong(promised).putLong(available);
        head.putInt(type).putInt(core).putInt(prefix).putInt(reserved);
        if (isPrint()) {
            head.put(fixed.array(), 0, prefix)
                    .put(fixed.array(), PrintLayout.CORE, OF_PRINT)
                    .put(fixed.array(), PrintLayout.RESERVED, reserved);
        } else {
            head.put(event.header());
        }
        long from = isPrint() ? PrintLayout.DATA : 0;
        return log.append(head.flip(), event, from, available - from);
    }

    /**
     * Reads the fields of an event.
     *
     * @return null when there is no complete event at this position
     */
    static @Nullable LoggedEvent read(PrintLog log, long place) throws IOException {
        long size = log.size();
        if (size - place < FIELDS) {
            return null;
        }
        ByteBuffer fields = log.part(place, FIELDS);
        LoggedEvent event = new LoggedEvent(
                place,
                fields.getLong(),
                fields.getLong(),
                fields.getLong(),
                fields.getLong(),
                fields.getInt(),
                fields.getInt(),
                fields.getInt(),
                fields.getInt());
        boolean fits = event.order >= 0
                && event.available >= 0
                && event.available <= size + PrintLayout.DATA
                && event.end() <= size
                && (event.prefix == ODD ? event.reserved == 0 : event.fits());
        return fits ? event : null;
    }

    private boolean fits() {
        return prefix >= 0
                && prefix <= PrintLayout.PREFIX_SIZE
                && (reserved == 0 || reserved == PrintLayout.RESERVED_SIZE)
                && available >= PrintLayout.DATA;
    }

    boolean isPrint() {
        return prefix != ODD;
    }

    private long payload() {
        return place + FIELDS + (isPrint() ? prefix + OF_PRINT + reserved : PrintLayout.HEADER);
    }

    long end() {
        return payload() + available - (isPrint() ? PrintLayout.DATA : 0);
    }

    static long nanos(Instant instant) {
        return instant.getEpochSecond() * NANOS + instant.getNano();
    }

    private Instant instant() {
        return Instant.ofEpochSecond(Math.floorDiv(arrived, NANOS), Math.floorMod(arrived, NANOS));
    }

    /** Returns the existing bytes of the fixed part of a print. */
    ByteBuffer fixed(PrintLog log) throws IOException {
        if (!isPrint()) {
            return log.part(payload(), (int) Math.min(available, PrintLayout.DATA));
        }
        byte[] fixed = new byte[PrintLayout.DATA];
        log.part(place + FIELDS, prefix + OF_PRINT + reserved)
                .get(fixed, 0, prefix)
                .get(fixed, PrintLayout.CORE, OF_PRINT + reserved);
        return ByteBuffer.wrap(fixed).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the reason why the event is not a print; null when it is one. */
    @Nullable
    String fault(PrintLog log, ElementWidths widths) throws IOException {
        return fault(fixed(log), widths);
    }

    private @Nullable String fault(ByteBuffer fixed, ElementWidths widths) {
        return PrintLayout.fault(Integer.toUnsignedLong(type), promised, available, fixed, widths);
    }

    DevicePrint print(PrintLog log, PrintOrigin origin) throws IOException {
        ByteBuffer fixed = fixed(log);
        return PrintLayout.decode(
                order,
                instant(),
                origin,
                core,
                fixed,
                log.view(payload(), PrintLayout.dataSize(fixed)),
                reserved == 0
                        ? NO_RESERVED
                        : TensorBytes.of(Arrays.copyOfRange(fixed.array(), PrintLayout.RESERVED, PrintLayout.DATA)));
    }

    OddEvent odd(PrintLog log, PrintOrigin origin) throws IOException {
        ByteBuffer fixed = fixed(log);
        return new OddEvent(
                order,
                instant(),
                origin,
                core,
                Integer.toUnsignedLong(type),
                Objects.requireNonNull(fault(fixed, new ElementWidths())),
                type == DevicePrint.EVENT_TYPE && available >= PrintLayout.PREFIX_SIZE
                        ? Optional.of(PrintLayout.prefix(fixed))
                        : Optional.empty(),
                log.view(place + FIELDS, PrintLayout.HEADER),
                log.view(payload(), available));
    }
}
