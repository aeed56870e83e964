package dev.neurontest.device.runtime;

import dev.neurontest.device.RuntimeStatus;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Finds statuses of the runtime in what a program prints: by name ({@code NRT_TIMEOUT}), by number ({@code nrt_execute
 * status=1202}, {@code Inference completed with err: 1004}), and by the line that tells of taken cores. Other programs print
 * statuses too ({@code status=200}, {@code exit status 1}), so a number counts only where the runtime speaks, or when it has
 * four digits and is known.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class StatusLines {

    private static final Pattern NAME = Pattern.compile("\\bNRT_[A-Z][A-Z_]*");
    private static final Pattern NUMBER = Pattern.compile("(?i)(?<!\\b(?:exit|grpc|http)[ _])"
            + "(?:\\b(?:nrt[ _])?(?:status|response)(?:[ _]code)?[\"']?[ \\t]*[:=]?[ \\t]*[\"'(]?"
            + "|completed with err(?:or)?:?[ \\t]*|\\] error:[ \\t]*)([0-9]{1,5})\\b");
    private static final Pattern RUNTIME = Pattern.compile("\\bNRT|nrt_|\\bnrt\\b|\\bNMGR\\b|\\bKMGR\\b|\\bTDRV\\b");
    private static final Pattern TAKEN = Pattern.compile("(?i)neuron ?core\\(s\\) not available[^\\r\\n]{0,160}");
    private static final int SMALLEST_TELLING_NUMBER = 1000;
    private static final int MOST = 30;

    private final Set<RuntimeStatus> statuses = new LinkedHashSet<>();
    private @Nullable String taken;

    /** Has seen no line yet. */
    public StatusLines() {}

    /**
     * Looks at a line.
     *
     * @param line of a program, from any thread
     */
    public synchronized void read(String line) {
        if (!mayTell(line)) {
            return;
        }
        Matcher name = NAME.matcher(line);
        while (name.find()) {
            RuntimeStatus.find(name.group()).ifPresent(this::add);
        }
        boolean runtime = RUNTIME.matcher(line).find();
        Matcher number = NUMBER.matcher(line);
        while (number.find()) {
            RuntimeStatus status = RuntimeStatus.of(Integer.parseInt(number.group(1)));
            if (runtime || status.isKnown() && status.code() >= SMALLEST_TELLING_NUMBER) {
                add(status);
            }
        }
        Matcher cores = TAKEN.matcher(line);
        if (cores.find()) {
            taken = taken == null ? cores.group() : taken;
            // what nrt_init returns for it
            add(RuntimeStatus.of(1));
        }
    }

    /** Most lines need no closer look. */
    private static boolean mayTell(String line) {
        return line.contains("NRT")
                || line.contains("tatus")
                || line.contains("err")
                || line.contains("not available")
                || line.contains("response");
    }

    private void add(RuntimeStatus status) {
        if (status.kind() != RuntimeStatus.Kind.SUCCESS && statuses.size() < MOST) {
            statuses.add(status);
        }
    }

    /**
     * What the program reported.
     *
     * @return each status once, in the order in which they came
     */
    public synchronized List<RuntimeStatus> statuses() {
        return List.copyOf(statuses);
    }

    /**
     * What the runtime said when it did not get its cores.
     *
     * @return a part of the first line that says so
     */
    public synchronized Optional<String> taken() {
        return Optional.ofNullable(taken);
    }

    /**
     * What is left of a status of four digits that a program exits with: eight bits. Smaller exit codes mean too much else.
     *
     * @param code of the program
     * @return the status that it may stand for
     */
    public static Optional<RuntimeStatus> ofExitCode(int code) {
        return IntStream.concat(IntStream.rangeClosed(1002, 1006), IntStream.rangeClosed(1200, 1206))
                .filter(status -> (status & 0xFF) == code)
                .mapToObj(RuntimeStatus::of)
                .findFirst();
    }
}
