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
 * What the stand-ins know of a model.
 *
 * @param work which measurements its metrics are made of: {@code model}, {@code vector} or {@code transpose}
 * @param picoseconds how long an execution takes; 0 for as long as in the measurements
 * @param workers how many workers its collectives need; 1 for none
 * @param inputs by name; null when nothing is known
 * @param outputs by name; empty when none are declared
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record NeffModel(
        String work,
        long picoseconds,
        int workers,
        @Nullable Map<String, NeffTensor> inputs,
        Map<String, NeffTensor> outputs) {

    /** What a NEFF is taken for that says nothing of itself. */
    public static final NeffModel UNKNOWN = new NeffModel("model", 0, 1, null, Map.of());

    private static final Map<String, NeffTensor> DEFAULT_OUTPUTS = Map.of("output0", NeffTensor.ofBytes(64));
    private static final String NONE = "-";

    /**
     * What the profilers write: a model of which no output is declared has one of 64 bytes.
     *
     * @return by name
     */
    public Map<String, NeffTensor> written() {
        return outputs.isEmpty() ? DEFAULT_OUTPUTS : outputs;
    }

    /** Reads what {@link #toString} writes; lines of later versions are passed over. */
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
                    // From a later version.
                }
            }
        }
        return new NeffModel(work, picoseconds, workers, inputs, outputs);
    }

    private static long number(String digits) {
        long number = Long.parseLong(digits);
        if (number < 0) {
            throw new IllegalArgumentException("less than nothing: " + digits);
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
