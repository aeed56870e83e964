package dev.neurontest.fake;

import dev.neurontest.fake.internal.neff.NeffTensor;
import dev.neurontest.fake.internal.runtime.Element;
import dev.neurontest.fake.internal.runtime.Fill;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that an execution writes into an output.
 *
 * @param needsInputs true if the content depends on the inputs
 * @param content the bytes of the output
 */
record NeffOutput(boolean needsInputs, Content content) {

    interface Content {
        /**
         * Returns the bytes.
         *
         * @param declared the declaration of the output in the model, null for none
         * @param inputs the bytes of the inputs, by name
         */
        byte[] bytes(@Nullable NeffTensor declared, Map<String, byte[]> inputs);
    }

    static NeffOutput constant(byte[] content) {
        byte[] copy = content.clone();
        return new NeffOutput(false, (declared, inputs) -> copy);
    }

    static NeffOutput computed(Function<Map<String, byte[]>, byte[]> function) {
        return new NeffOutput(true, (declared, inputs) -> function.apply(inputs));
    }

    static NeffOutput filled(String output, String word) {
        return new NeffOutput(false, (declared, inputs) -> {
            if (declared == null || declared.dtype().isEmpty()) {
                throw new IllegalStateException("output " + output + " cannot be filled with " + word
                        + ": the NEFF does not declare its element type");
            }
            return Fill.encode(
                    word,
                    Element.named(declared.dtype()),
                    Element.units(
                            declared.shape().stream().mapToLong(Long::longValue).toArray()));
        });
    }

    static NeffOutput copied(String input) {
        return new NeffOutput(true, (declared, inputs) -> {
            byte[] bytes = inputs.get(input);
            if (bytes == null) {
                throw new IllegalStateException("the execution has no input " + input + " to copy");
            }
            return bytes;
        });
    }
}
