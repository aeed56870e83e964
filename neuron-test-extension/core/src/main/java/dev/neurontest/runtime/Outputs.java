package dev.neurontest.runtime;

import dev.neurontest.tensor.TensorBytes;
import dev.neurontest.tensor.TensorView;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apiguardian.api.API;

/** What an execution wrote, copied from the device: it stays when everything is closed. */
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
     * The values of an output. Where the runtime does not tell its dtype, or a wrong one:
     * {@code outputs.tensor("c").reinterpret("bfloat16", 128, 512)}.
     *
     * @param name of the output
     * @return with dtype and shape as the runtime tells them
     * @throws IllegalArgumentException when the model has no such output
     */
    public TensorView tensor(String name) {
        Output output = output(name);
        return TensorView.of(output.info().dtype(), output.info().shape(), output.bytes());
    }

    /**
     * The bytes of an output.
     *
     * @param name of the output
     * @return as many as the model says
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
