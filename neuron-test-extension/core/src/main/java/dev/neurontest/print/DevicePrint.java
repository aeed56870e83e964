package dev.neurontest.print;

import dev.neurontest.internal.print.PrintNames;
import dev.neurontest.tensor.TensorBytes;
import dev.neurontest.tensor.TensorView;
import java.time.Instant;
import java.util.List;
import org.apiguardian.api.API;

/**
 * One tensor that a kernel printed with {@code device_print}: an event of type 1 of {@code nrt/ndebug_stream.h}, or what
 * another way out of a process has of it.
 *
 * @param order of arrival within the test, from 0
 * @param arrived when this process got it
 * @param origin by which way it came
 * @param coreIndex the process-relative logical core whose stream it came from, or that its way names; -1 when that is unknown
 * @param coreId {@code logical_nc_id} as it is in the event, unsigned; -1 when the way does not tell. How the runtime counts it when only
 *     some cores are visible is not known, which is why both are kept
 * @param pipe 0 standard output, 1 standard error, as the kernel wanted it printed; -1 when the way does not tell
 * @param prefix what the kernel calls it, decoded as UTF-8 with replacement
 * @param dtype the name as it is in the event
 * @param shape without unused dimensions; empty for a scalar
 * @param data the values, row-major
 * @param reserved bytes 608 to 1023 of the event, in which newer runtimes have fields that the public header does not; empty when
 *     the way does not tell
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

    /** The type of an event that is a print: {@code NDEBUG_STREAM_EVENT_TYPE_DEBUG_TENSOR_READ}. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static final int EVENT_TYPE = 1;

    /**
     * Keeps its own copy of the shape.
     *
     * @param order of arrival within the test, from 0
     * @param arrived when this process got it
     * @param origin by which way it came
     * @param coreIndex the process-relative logical core
     * @param coreId the id in the event
     * @param pipe 0 standard output, 1 standard error
     * @param prefix what the kernel calls it
     * @param dtype the name as it is in the event
     * @param shape without unused dimensions
     * @param data the values
     * @param reserved bytes 608 to 1023 of the event
     */
    public DevicePrint {
        shape = List.copyOf(shape);
    }

    /**
     * What messages call it.
     *
     * @return order of arrival and prefix, such as {@code print 17 "acc"}
     */
    public String label() {
        return PrintNames.label(this);
    }

    /**
     * The values.
     *
     * @return a view that decodes them when they are asked for, and copies nothing
     */
    public TensorView tensor() {
        return TensorView.of(dtype, shape, data);
    }

    /** The same at another place among the prints of a test. */
    @API(status = API.Status.INTERNAL)
    public DevicePrint withOrder(long other) {
        return new DevicePrint(other, arrived, origin, coreIndex, coreId, pipe, prefix, dtype, shape, data, reserved);
    }
}
