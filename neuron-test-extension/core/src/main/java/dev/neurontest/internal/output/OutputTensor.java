package dev.neurontest.internal.output;

import dev.neurontest.tensor.TensorView;
import org.apiguardian.api.API;

/**
 * One output of one execution, as read after it.
 *
 * @param origin the execution and the output
 * @param tensor the values, with dtype and shape as the source reports them
 * @param whyNotFilled reason why the buffer did not begin with the fill pattern; empty if it did
 * @param inputs hash of the inputs; empty if it is unknown
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record OutputTensor(OutputOrigin origin, TensorView tensor, String whyNotFilled, String inputs) {

    /** The byte that fills an output before an execution. No element type has a likely result with this byte repeated. */
    public static final byte FILL = (byte) 0xA5;

    /** Returns whether the buffer began with the fill pattern. */
    boolean isFilled() {
        return whyNotFilled.isEmpty();
    }
}
