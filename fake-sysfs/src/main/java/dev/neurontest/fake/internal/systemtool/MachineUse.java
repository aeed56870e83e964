package dev.neurontest.fake.internal.systemtool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The processors and the memory of this machine, as its kernel counts them in {@code /proc}. */
final class MachineUse {

    private static final Path PROC = Path.of("/proc");
    private static final String[] STATES = {"user", "nice", "system", "idle", "io_wait", "irq", "soft_irq"};
    private static final double ONE_HUNDRED = 100;
    private static final double HUNDREDTHS = 100;
    private static final int USER = 11;

    private MachineUse() {}

    /** Returns the counts of {@code /proc/stat} by the first word of each line. */
    static Map<String, long[]> processors() throws IOException {
        Map<String, long[]> counts = new LinkedHashMap<>();
        for (String line : Files.readAllLines(PROC.resolve("stat"))) {
            String[] words = line.split("\\s+");
            if (words[0].startsWith("cpu") || words[0].equals("ctxt")) {
                counts.put(
                        words[0],
                        Arrays.stream(words)
                                .skip(1)
                                .limit(STATES.length)
                                .mapToLong(Long::parseLong)
                                .toArray());
            }
        }
        return counts;
    }

    /** Returns the shares of the states of a processor between two counts, in percent. */
    static Map<String, Double> shares(long[] before, long[] after) {
        long sum = 0;
        for (int i = 0; i < STATES.length; i++) {
            sum += after[i] - before[i];
        }
        Map<String, Double> shares = new LinkedHashMap<>();
        for (int i = 0; i < STATES.length; i++) {
            shares.put(STATES[i], percent(after[i] - before[i], sum));
        }
        return shares;
    }

    /** Returns a share in percent with two decimals. */
    static double percent(double part, double whole) {
        return whole <= 0 ? 0 : Math.round(Math.max(0, part) / whole * ONE_HUNDRED * HUNDREDTHS) / HUNDREDTHS;
    }

    /** Returns the memory in bytes, with the names of {@code neuron-monitor}. */
    static Map<String, Object> memory() throws IOException {
        Map<String, Long> kilobytes = new LinkedHashMap<>();
        for (String line : Files.readAllLines(PROC.resolve("meminfo"))) {
            String[] words = line.split("[:\\s]+");
            kilobytes.put(words[0], Long.parseLong(words[1]));
        }
        long total = kilobytes.getOrDefault("MemTotal", 0L);
        long swap = kilobytes.getOrDefault("SwapTotal", 0L);
        Map<String, Object> memory = new LinkedHashMap<>();
        memory.put("memory_total_bytes", total << 10);
        memory.put("memory_used_bytes", (total - kilobytes.getOrDefault("MemAvailable", 0L)) << 10);
        memory.put("swap_total_bytes", swap << 10);
        memory.put("swap_used_bytes", (swap - kilobytes.getOrDefault("SwapFree", 0L)) << 10);
        return memory;
    }

    /**
     * Returns the time of a program in user code and in the kernel, in hundredths of a second.
     *
     * @return two numbers; 0 if the program cannot be seen
     */
    static long[] times(long pid) {
        try {
            String stat = Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
            // The name of the program is in parentheses and may contain blanks.
            String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return new long[] {Long.parseLong(words[USER]), Long.parseLong(words[USER + 1])};
        } catch (IOException | RuntimeException gone) {
            return new long[] {0, 0};
        }
    }

    /**
     * Returns an environment variable of a program.
     *
     * @return null if it is not set or the program cannot be seen
     */
    static @Nullable String variable(long pid, String name) {
        try {
            String start = name + "=";
            String environment = new String(Files.readAllBytes(PROC.resolve(pid + "/environ")), StandardCharsets.UTF_8);
            return Arrays.stream(environment.split("\0"))
                    .filter(each -> each.startsWith(start))
                    .map(each -> each.substring(start.length()))
                    .findFirst()
                    .orElse(null);
        } catch (IOException gone) {
            return null;
        }
    }
}
