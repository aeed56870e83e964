package dev.neurontest.fake;

import dev.neurontest.fake.internal.help.Reason;
import dev.neurontest.fake.internal.neff.NeffModel;
import dev.neurontest.fake.internal.neff.NeffTensor;
import dev.neurontest.fake.internal.runtime.Element;
import dev.neurontest.fake.internal.runtime.Fill;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The bytes that an execution writes into an output. */
abstract class NeffOutput {

    /** The beginning of a fill that copies an input. */
    private static final String COPY = "copy:";

    private static final String UNWRITTEN = "unwritten";
    private static final Pattern FIRST = Pattern.compile("first:([0-9]{1,18}):(.+)");
    private static final String ZEROS = "zeros";
    private static final long ALL = Long.MAX_VALUE;

    /** Returns whether the content depends on the inputs. */
    boolean needsInputs() {
        return false;
    }

    /** Returns how many bytes from its beginning an execution writes. The others keep their content. */
    long written() {
        return ALL;
    }

    /** Returns whether an execution leaves bytes unwritten. */
    boolean isPartial() {
        return written() < ALL;
    }

    /**
     * Checks whether executions of a model can write this output.
     *
     * @param declared the declaration of the output in the model, null for none
     * @throws IllegalArgumentException when no execution can, with the reason
     */
    void check(NeffModel model, @Nullable NeffTensor declared) {
        bytes(declared, Map.of());
    }

    /**
     * Returns the bytes.
     *
     * @param declared the declaration of the output in the model, null for none
     * @param inputs the bytes of the inputs, by name
     * @throws IllegalArgumentException when there are none, with the reason
     */
    abstract byte[] bytes(@Nullable NeffTensor declared, Map<String, byte[]> inputs);

    static NeffOutput constant(byte[] content) {
        return new Constant(content.clone());
    }

    static NeffOutput computed(Function<Map<String, byte[]>, byte[]> function) {
        return new Computed(function);
    }

    /**
     * Parses a fill.
     *
     * @throws IllegalArgumentException when it is invalid; the message lists the valid ones
     */
    static NeffOutput parse(String fill) {
        if (fill.equals(COPY)) {
            throw new IllegalArgumentException("the name of the input is missing after " + COPY);
        }
        if (fill.equals(UNWRITTEN)) {
            return new Partial(parse(ZEROS), 0);
        }
        Matcher first = FIRST.matcher(fill);
        if (first.matches()) {
            return new Partial(parse(first.group(2)), Long.parseLong(first.group(1)));
        }
        return fill.startsWith(COPY) ? new Copied(fill.substring(COPY.length())) : new Filled(Fill.parse(fill));
    }

    private static byte[] checked(byte[] bytes, @Nullable NeffTensor declared) {
        if (declared != null && declared.bytes() != bytes.length) {
            throw new IllegalArgumentException(
                    "the script has " + bytes.length + " bytes, but the output has " + declared.bytes());
        }
        return bytes;
    }

    /** Fixed bytes. */
    private static final class Constant extends NeffOutput {

        private final byte[] content;

        private Constant(byte[] content) {
            this.content = content;
        }

        @Override
        byte[] bytes(@Nullable NeffTensor declared, Map<String, byte[]> inputs) {
            return checked(content, declared);
        }
    }

    /** A fill for the element type and the shape in the model. */
    private static final class Filled extends NeffOutput {

        private final Fill fill;

        private Filled(Fill fill) {
            this.fill = fill;
        }

        @Override
        byte[] bytes(@Nullable NeffTensor declared, Map<String, byte[]> inputs) {
            if (declared == null || declared.dtype().isEmpty()) {
                throw new IllegalArgumentException(
                        "it cannot be filled with " + fill + ", because the NEFF does not declare its element type");
            }
            long units = Element.units(
                    declared.shape().stream().mapToLong(Long::longValue).toArray());
            return checked(fill.encode(Element.named(declared.dtype()), units), declared);
        }
    }

    /** A copy of an input. */
    private static final class Copied extends NeffOutput {

        private final String input;

        private Copied(String input) {
            this.input = input;
        }

        @Override
        boolean needsInputs() {
            return true;
        }

        @Override
        void check(NeffModel model, @Nullable NeffTensor declared) {
            Map<String, NeffTensor> inputs = model.inputs();
            NeffTensor copied = inputs == null ? null : inputs.get(input);
            if (inputs != null && copied == null) {
                throw new IllegalArgumentException(
                        "there is no input " + input + " to copy; the NEFF has " + NeffTensor.listed("inputs", inputs));
            }
            if (copied != null && declared != null && copied.bytes() != declared.bytes()) {
                throw new IllegalArgumentException("the input " + input + " has " + copied.bytes()
                        + " bytes, but the output has " + declared.bytes());
            }
        }

        @Override
        byte[] bytes(@Nullable NeffTensor declared, Map<String, byte[]> inputs) {
            byte[] bytes = inputs.get(input);
            if (bytes == null) {
                throw new IllegalArgumentException("the execution has no input " + input + " to copy");
            }
            return checked(bytes, declared);
        }
    }

    /** The beginning of another output; the rest is not written. */
    private static final class Partial extends NeffOutput {

        private final NeffOutput whole;
        private final long written;

        private Partial(NeffOutput whole, long written) {
            this.whole = whole;
            this.written = Math.min(written, whole.written());
        }

        @Override
        boolean needsInputs() {
            return written > 0 && whole.needsInputs();
        }

        @Override
        long written() {
            return written;
        }

        @Override
        void check(NeffModel model, @Nullable NeffTensor declared) {
            if (written > 0) {
                whole.check(model, declared);
            }
        }

        @Override
        byte[] bytes(@Nullable NeffTensor declared, Map<String, byte[]> inputs) {
            if (written == 0) {
                return new byte[0];
            }
            byte[] bytes = whole.bytes(declared, inputs);
            return Arrays.copyOf(bytes, (int) Math.min(bytes.length, written));
        }
    }

    /** The result of a function of the inputs. */
    private static final class Computed extends NeffOutput {

        private final Function<Map<String, byte[]>, byte[]> function;

        private Computed(Function<Map<String, byte[]>, byte[]> function) {
            this.function = function;
        }

        @Override
        boolean needsInputs() {
            return true;
        }

        @Override
        void check(NeffModel model, @Nullable NeffTensor declared) {
            // Only the function knows its result.
        }

        @Override
        byte[] bytes(@Nullable NeffTensor declared, Map<String, byte[]> inputs) {
            byte[] result;
            try {
                result = function.apply(inputs);
            } catch (RuntimeException | Error failed) {
                // The library must receive an answer, regardless of the failure in the function of a test.
                throw new IllegalArgumentException("the function of the script failed: " + Reason.of(failed), failed);
            }
            if (result == null) {
                throw new IllegalArgumentException("the function of the script returned null");
            }
            return checked(result, declared);
        }
    }
}
