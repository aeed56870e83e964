package dev.neurontest.profile;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An output of one execution of a capture, which the tool saved as raw bytes.
 *
 * @param name the name in the NEFF
 * @param execution number of the execution, from 1
 * @param file a file in the folder of the capture
 */
record SavedOutput(String name, int execution, Path file) {

    private static final Pattern LINE = Pattern.compile("saved output \"(.+)\" as \"([^\"/]+)\"\\s*");
    private static final int FIRST = 1;

    /** Returns the flags that make the tool save the outputs of the measured executions. */
    static List<String> flags(TracePlan plan) {
        List<Integer> measured = plan.measuredExecutions();
        // The flag selects each Nth execution, and only a single one can be selected alone.
        int nth = measured.size() == 1 ? measured.get(0) : 1;
        return nth == 1 ? List.of("--save-output") : List.of("--save-output", "--save-nth-output=" + nth);
    }

    /**
     * Finds the outputs of the measured executions.
     *
     * @param stdout the standard output of the tool, which names each file
     * @param folder the folder of the capture
     */
    static List<SavedOutput> in(String stdout, Path folder, TracePlan plan) {
        return stdout.lines()
                .flatMap(line -> read(line, folder).stream())
                .filter(saved -> plan.measuredExecutions().contains(saved.execution()))
                .toList();
    }

    private static Optional<SavedOutput> read(String line, Path folder) {
        Matcher words = LINE.matcher(line);
        if (!words.matches()) {
            return Optional.empty();
        }
        Path file = folder.resolve(words.group(2));
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                ? execution(words.group(1), words.group(2))
                        .map(execution -> new SavedOutput(words.group(1), execution, file))
                : Optional.empty();
    }

    /** Returns the number after the name in a file name such as {@code y.2}; the first execution has none. */
    private static Optional<Integer> execution(String name, String file) {
        String suffix = file.length() < name.length() ? "" : file.substring(name.length());
        if (suffix.isEmpty()) {
            return Optional.of(FIRST);
        }
        return suffix.matches("\\.[1-9][0-9]{0,8}")
                ? Optional.of(Integer.parseInt(suffix.substring(1)))
                : Optional.empty();
    }
}
