package dev.neurontest.fake.profiler;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What the stand-ins know of a model.
 *
 * @param work which measurements its metrics are made of: {@code model}, {@code vector} or {@code transpose}
 * @param picoseconds how long an execution takes; 0 for as long as in the measurements
 * @param workers how many workers its collectives need; 1 for none
 * @param inputs size in bytes by name; null when nothing is known
 * @param outputs size in bytes by name
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record NeffModel(
        String work,
        long picoseconds,
        int workers,
        @Nullable Map<String, Long> inputs,
        Map<String, Long> outputs) {

    static final NeffModel UNKNOWN = new NeffModel("model", 0, 1, null, Map.of("output0", 64L));

    static NeffModel parse(String text) {
        String work = UNKNOWN.work();
        long picoseconds = 0;
        int workers = 1;
        Map<String, Long> inputs = new LinkedHashMap<>();
        Map<String, Long> outputs = new LinkedHashMap<>();
        for (String line : text.split("\n")) {
            String[] words = line.split(" ", 3);
            switch (words[0]) {
                case "work" -> work = words[1];
                case "picoseconds" -> picoseconds = Long.parseLong(words[1]);
                case "workers" -> workers = Integer.parseInt(words[1]);
                case "input" -> inputs.put(unescaped(words[2]), Long.parseLong(words[1]));
                case "output" -> outputs.put(unescaped(words[2]), Long.parseLong(words[1]));
                default -> {
                    // From a later version.
                }
            }
        }
        return new NeffModel(work, picoseconds, workers, inputs, outputs);
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

    private static void tensors(StringBuilder text, String kind, Map<String, Long> tensors) {
        for (Map.Entry<String, Long> tensor : tensors.entrySet()) {
            text.append(kind).append(' ').append(tensor.getValue()).append(' ');
            text.append(tensor.getKey().replace("\\", "\\\\").replace("\n", "\\n"))
                    .append('\n');
        }
    }

    private static String unescaped(String name) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char each = name.charAt(i);
            if (each == '\\' && i + 1 < name.length()) {
                each = name.charAt(++i) == 'n' ? '\n' : '\\';
            }
            text.append(each);
        }
        return text.toString();
    }
}
