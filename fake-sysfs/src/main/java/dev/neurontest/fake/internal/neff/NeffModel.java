package dev.neurontest.fake.internal.neff;

import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a model for the stand-ins.
 *
 * @param work measurements on which its metrics are based: {@code model}, {@code vector} or {@code transpose}
 * @param picoseconds duration of an execution; 0 for that of the measurements
 * @param workers number of workers that its collectives need; 1 for none
 * @param inputs inputs by name; null if they are unknown
 * @param outputs outputs by name; empty if none are declared
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record NeffModel(
        String work,
        long picoseconds,
        int workers,
        @Nullable Map<String, NeffTensor> inputs,
        Map<String, NeffTensor> outputs) {

    /** Default properties of a NEFF without a description. */
    public static final NeffModel UNKNOWN = new NeffModel("model", 0, 1, null, Map.of());

    private static final Map<String, NeffTensor> DEFAULT_OUTPUTS = Map.of("output0", NeffTensor.ofBytes(64));
    private static final String NONE = "-";

    /**
     * Returns the outputs that the profilers write. A model without declared outputs has a single output of 64 bytes.
     *
     * @return outputs by name
     */
    public Map<String, NeffTensor> written() {
        return outputs.isEmpty() ? DEFAULT_OUTPUTS : outputs;
    }

    /** Parses the format of {@link #toString}. Lines of later versions are ignored. */
    static NeffModel parse(String text) throws IOException {
        try {
            return parsed(text);
        } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException wrong) {
            throw new IOException("no description of a model", wrong);
        }
    }

    private static NeffModel parsed(String text) {
        String work = UNKNOWN.work();
        long picoseconds = 0;
        int workers = 1;
        Map<String, NeffTensor> inputs = new LinkedHashMap<>();
        Map<String, NeffTensor> outputs = new LinkedHashMap<>();
        for (String line : text.split("\n")) {
            String[] words = line.split(" ", 5);
            switch (words[0]) {
                case "work" -> work = words[1];
                case "picoseconds" -> picoseconds = number(words[1]);
                case "workers" -> workers = Math.toIntExact(number(words[1]));
                case "input" -> put(inputs, words);
                case "output" -> put(outputs, words);
                default -> {
                    // A line of a later version.
                }
            }
        }
        return new NeffModel(work, picoseconds, workers, inputs, outputs);
    }

    private static long number(String digits) {
        long number = Long.parseLong(digits);
        if (number < 0) {
            throw new IllegalArgumentException("negative number: " + digits);
        }
        return number;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append("work ").append(work).append('\n');
        text.append("picoseconds ").append(picoseconds).append('\n');
        text.append("workers ").append(workers).append('\n');
        tensors(text, "input", inputs == null ? Map.of() : inputs);
        tensors(text, "output", outputs);
        return text.toString();
    }

    private static void put(Map<String, NeffTensor> tensors, String[] words) {
        List<Long> shape = words[3].equals(NONE)
                ? List.of()
                : Stream.of(words[3].split("x")).map(NeffModel::number).toList();
        String dtype = words[2].equals(NONE) ? "" : words[2];
        tensors.put(
                URLDecoder.decode(words[4], StandardCharsets.UTF_8), new NeffTensor(number(words[1]), dtype, shape));
    }

    private static void tensors(StringBuilder text, String kind, Map<String, NeffTensor> tensors) {
        tensors.forEach((name, tensor) -> {
            String shape = tensor.shape().stream().map(String::valueOf).collect(Collectors.joining("x"));
            String dtype = tensor.dtype().isEmpty() ? NONE : tensor.dtype();
            text.append(kind
                    + ' '
                    + tensor.bytes()
                    + ' '
                    + dtype
                    + ' '
                    + (shape.isEmpty() ? NONE : shape)
                    + ' '
                    + URLEncoder.encode(name, StandardCharsets.UTF_8)
                    + '\n');
        });
    }
}
