package dev.neurontest.internal.output;

import dev.neurontest.tensor.TensorBytes;
import dev.neurontest.tensor.TensorView;
import java.util.List;
import org.apiguardian.api.API;

/**
 * One output of one execution, as read after it.
 *
 * @param origin the execution and the output
 * @param tensor the values, with dtype and shape as the source reports them
 * @param whyNotFilled reason why the buffer did not begin with the fill pattern; empty if it did
 * @param inputs identity of the model and its inputs, equal for the same values; {@link #ZEROS}, or empty if it is unknown
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record OutputTensor(OutputOrigin origin, TensorView tensor, String whyNotFilled, String inputs) {

    /** The byte that fills an output before an execution. No element type has a likely result with this byte repeated. */
    public static final byte FILL = (byte) 0xA5;

    /** Identity of inputs that are all zero. */
    public static final String ZEROS = "zeros";

    /** Creates an output from bytes without dtype and shape. */
    public static OutputTensor ofBytes(OutputOrigin origin, TensorBytes bytes, String whyNotFilled, String inputs) {
        return new OutputTensor(origin, TensorView.of("", List.of(bytes.size()), bytes), whyNotFilled, inputs);
    }

    /** Returns whether its dtype and shape are unknown. */
    boolean isRaw() {
        return tensor.dtypeName().isEmpty();
    }

    /** Returns whether all inputs were zeros, with which seldom values are more often right. */
    boolean hasZeroInputs() {
        return inputs.equals(ZEROS);
    }

    /** Returns whether the buffer began with the fill pattern. */
    boolean isFilled() {
        return whyNotFilled.isEmpty();
    }
}
