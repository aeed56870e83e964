package dev.neurontest.print;

import dev.neurontest.internal.print.PrintNames;
import dev.neurontest.tensor.TensorBytes;
import dev.neurontest.tensor.TensorView;
import java.time.Instant;
import java.util.List;
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
 * @param shape the dimensions without unused ones; empty for a scalar
 * @param data the values, row-major
 * @param reserved bytes 608 to 1023 of the event, where newer runtimes have fields that are missing from the public header; empty when the
 *     origin does not provide them
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
        TensorBytes reserved) {

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
     */
    public DevicePrint {
        shape = List.copyOf(shape);
    }

    /**
     * Returns a label of this print for messages.
     *
     * @return order of arrival and prefix, such as {@code print 17 "acc"}
     */
    public String label() {
        return PrintNames.label(this);
    }

    /**
     * Returns the values as a tensor.
     *
     * @return a view that decodes values on access and copies nothing
     */
    public TensorView tensor() {
        return TensorView.of(dtype, shape, data);
    }

    /**
     * Returns a copy of this print with another position among the prints of a test.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public DevicePrint withOrder(long index) {
        return new DevicePrint(index, arrived, origin, coreIndex, coreId, pipe, prefix, dtype, shape, data, reserved);
    }
}
