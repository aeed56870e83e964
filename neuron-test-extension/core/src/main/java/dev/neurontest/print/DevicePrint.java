package dev.neurontest.print;

import dev.neurontest.internal.print.PrintNames;
import dev.neurontest.tensor.Abbreviation;
import dev.neurontest.tensor.TensorBytes;
import dev.neurontest.tensor.TensorView;
import dev.neurontest.tensor.Tolerance;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A tensor that a kernel printed with {@code device_print}. A debug stream delivers it as an event of type 1 of
 * {@code nrt/ndebug_stream.h}. The other origins provide a part of its fields.
 *
 * @param order position in the order of arrival within the test, from 0
 * @param arrived time at which this process received the print
 * @param origin transport by which the print arrived
 * @param coreIndex the process-relative logical core of the stream, or the core that the origin names; -1 when unknown
 * @param coreId {@code logical_nc_id} exactly as in the event, unsigned; -1 when the origin does not provide it. It is kept in addition to
 *     {@code coreIndex} because the runtime's numbering is not known when only some cores are visible
 * @param pipe 0 for standard output or 1 for standard error, as the kernel requested; -1 when the origin does not provide it
 * @param prefix the prefix given in the kernel, decoded as UTF-8 with replacement
 * @param dtype the name of the data type exactly as in the event
 * @param shape the dimensions without unused ones; empty for a scalar; {@link Abbreviation#UNKNOWN} for a length that an abbreviated print
 *     does not tell
 * @param data the values, row-major; only the written ones of an abbreviated print
 * @param reserved bytes 608 to 1023 of the event, where newer runtimes have fields that are missing from the public header; empty when the
 *     origin does not provide them
 * @param abbreviation the written part of a print whose values are not all there; empty for a complete print
 * @param rounding how far a written value may be from the printed one; exact except in text
 * @param source the program that printed, if programs of the test ran on several hosts; empty on one host
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DevicePrint(
        long order,
        Instant arrived,
        PrintOrigin origin,
        int coreIndex,
        long coreId,
        long pipe,
        String prefix,
        String dtype,
        List<Long> shape,
        TensorBytes data,
        TensorBytes reserved,
        Optional<Abbreviation> abbreviation,
        Tolerance rounding,
        Optional<PrintSource> source) {

    /**
     * The type of an event that is a print: {@code NDEBUG_STREAM_EVENT_TYPE_DEBUG_TENSOR_READ}.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static final int EVENT_TYPE = 1;

    /**
     * Creates a print with its own copy of the shape.
     *
     * @param order position in the order of arrival within the test, from 0
     * @param arrived time at which this process received the print
     * @param origin transport by which the print arrived
     * @param coreIndex the process-relative logical core
     * @param coreId the id in the event
     * @param pipe 0 standard output, 1 standard error
     * @param prefix the prefix given in the kernel
     * @param dtype the name of the data type exactly as in the event
     * @param shape the dimensions without unused ones
     * @param data the values
     * @param reserved bytes 608 to 1023 of the event
     * @param abbreviation the written part of a print whose values are not all there
     * @param rounding the rounding of the values
     * @param source the program that printed
     */
    public DevicePrint {
        shape = List.copyOf(shape);
    }

    /**
     * Creates a print with all its values, which are not rounded.
     *
     * @param order position in the order of arrival within the test, from 0
     * @param arrived time at which this process received the print
     * @param origin transport by which the print arrived
     * @param coreIndex the process-relative logical core
     * @param coreId the id in the event
     * @param pipe 0 standard output, 1 standard error
     * @param prefix the prefix given in the kernel
     * @param dtype the name of the data type exactly as in the event
     * @param shape the dimensions without unused ones
     * @param data the values
     * @param reserved bytes 608 to 1023 of the event
     */
    public DevicePrint(
            long order,
            Instant arrived,
            PrintOrigin origin,
            int coreIndex,
            long coreId,
            long pipe,
            String prefix,
            String dtype,
            List<Long> shape,
            TensorBytes data,
            TensorBytes reserved) {
        this(
                order,
                arrived,
                origin,
                coreIndex,
                coreId,
                pipe,
                prefix,
                dtype,
                shape,
                data,
                reserved,
                Optional.empty(),
                Tolerance.exact(),
                Optional.empty());
    }

    /**
     * Returns a label of this print for messages.
     *
     * @return order of arrival, prefix and program, such as {@code print 17 "acc"} or {@code print 17 "acc" (rank 3 on n1)}
     */
    public String label() {
        return PrintNames.label(this);
    }

    /**
     * Returns the values as a tensor.
     *
     * @return a view that decodes values on access and copies nothing; {@linkplain TensorView#isAbbreviated abbreviated} if this print is
     */
    public TensorView tensor() {
        return abbreviation
                .map(part -> TensorView.of(dtype, shape, data, part))
                .orElseGet(() -> TensorView.of(dtype, shape, data));
    }

    /**
     * Returns a copy of this print with the traits of its text.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public DevicePrint asWritten(Optional<Abbreviation> writtenPart, Tolerance roundingOfText) {
        return new DevicePrint(
                order,
                arrived,
                origin,
                coreIndex,
                coreId,
                pipe,
                prefix,
                dtype,
                shape,
                data,
                reserved,
                writtenPart,
                roundingOfText,
                source);
    }

    /**
     * Returns a copy of this print with another position among the prints of a test.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public DevicePrint withOrder(long index) {
        return with(index, source);
    }

    /**
     * Returns a copy of this print of a program on several hosts.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public DevicePrint with(long index, Optional<PrintSource> program) {
        return new DevicePrint(
                index,
                arrived,
                origin,
                coreIndex,
                coreId,
                pipe,
                prefix,
                dtype,
                shape,
                data,
                reserved,
                abbreviation,
                rounding,
                program);
    }
}
