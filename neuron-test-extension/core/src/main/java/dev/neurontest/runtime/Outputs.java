package dev.neurontest.runtime;

import dev.neurontest.tensor.TensorBytes;
import dev.neurontest.tensor.TensorView;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apiguardian.api.API;

/** The outputs of an execution, copied from the device. They stay valid after the model and the runtime are closed. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Outputs {

    private final String model;
    private final Map<String, Output> outputs;

    record Output(TensorInfo info, TensorBytes bytes) {}

    Outputs(String model, Map<String, Output> outputs) {
        this.model = model;
        this.outputs = new LinkedHashMap<>(outputs);
    }

    /**
     * Returns the values of an output. If the runtime reports no data type, or a wrong one, use
     * {@code outputs.tensor("c").reinterpret("bfloat16", 128, 512)}.
     *
     * @param name name of the output
     * @return a view with the data type and shape that the runtime reports
     * @throws IllegalArgumentException when the model has no such output
     */
    public TensorView tensor(String name) {
        Output output = output(name);
        return TensorView.of(output.info().dtype(), output.info().shape(), output.bytes());
    }

    /**
     * Returns the bytes of an output.
     *
     * @param name name of the output
     * @return all bytes, as declared by the model
     * @throws IllegalArgumentException when the model has no such output
     */
    public TensorBytes bytes(String name) {
        return output(name).bytes();
    }

    private Output output(String name) {
        Output output = outputs.get(name);
        if (output == null) {
            throw new IllegalArgumentException(
                    "%s has no output \"%s\"; it has: %s".formatted(model, name, String.join(", ", outputs.keySet())));
        }
        return output;
    }
}
