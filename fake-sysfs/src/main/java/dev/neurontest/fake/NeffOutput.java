package dev.neurontest.fake;

import dev.neurontest.fake.neff.NeffTensor;
import dev.neurontest.fake.runtime.Element;
import dev.neurontest.fake.runtime.Fill;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What an execution writes into an output. */
interface NeffOutput {

    /** The bytes, given what the model declares about the output, null for nothing, and the inputs by name. */
    byte[] bytes(@Nullable NeffTensor declared, Map<String, byte[]> inputs);

    /** Whether it cannot be known before the inputs are. */
    boolean needsInputs();

    static NeffOutput constant(byte[] content) {
        byte[] copy = content.clone();
        return of(false, (declared, inputs) -> copy);
    }

    static NeffOutput computed(Function<Map<String, byte[]>, byte[]> function) {
        return of(true, (declared, inputs) -> function.apply(inputs));
    }

    static NeffOutput filled(String output, String word) {
        return of(false, (declared, inputs) -> {
            if (declared == null || declared.dtype().isEmpty()) {
                throw new IllegalStateException("the NEFF does not declare the element type of output " + output
                        + ", so that it cannot be filled with " + word);
            }
            return Fill.encode(
                    word,
                    Element.named(declared.dtype()),
                    Element.units(
                            declared.shape().stream().mapToLong(Long::longValue).toArray()));
        });
    }

    static NeffOutput copied(String input) {
        return of(true, (declared, inputs) -> {
            byte[] bytes = inputs.get(input);
            if (bytes == null) {
                throw new IllegalStateException("there is no input " + input + " to copy");
            }
            return bytes;
        });
    }

    /** As a lambda. */
    interface Content {
        byte[] bytes(@Nullable NeffTensor declared, Map<String, byte[]> inputs);
    }

    private static NeffOutput of(boolean needsInputs, Content content) {
        return new NeffOutput() {
            @Override
            public byte[] bytes(@Nullable NeffTensor declared, Map<String, byte[]> inputs) {
                return content.bytes(declared, inputs);
            }

            @Override
            public boolean needsInputs() {
                return needsInputs;
            }
        };
    }
}
