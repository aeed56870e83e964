package dev.neurontest.profile;

import dev.neurontest.internal.text.VisibleText;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
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
 * @param execution number of the execution, from 1; {@link #UNKNOWN} if the name of the file does not contain it
 * @param fileName the file as the tool names it
 * @param file a file in the folder of the capture; empty if there is none
 */
record SavedOutput(String name, int execution, String fileName, Optional<Path> file) {

    /** Number of an execution that cannot be told from the name of its file. */
    static final int UNKNOWN = 0;

    private static final Pattern LINE = Pattern.compile("saved output \"(.*)\" as \"(.*)\"\\s*");
    private static final int FIRST = 1;

    /** Returns the flags that make the tool save the outputs of the measured executions. */
    static List<String> flags(TracePlan plan) {
        List<Integer> measured = plan.measuredExecutions();
        // The flag selects each Nth execution, and only a single one can be selected alone.
        int nth = measured.size() == 1 ? measured.get(0) : 1;
        return nth == 1 ? List.of("--save-output") : List.of("--save-output", "--save-nth-output=" + nth);
    }

    /**
     * Finds the outputs of all executions.
     *
     * @param stdout the standard output of the tool, which names each file
     * @param folder the folder of the capture
     */
    static List<SavedOutput> in(String stdout, Path folder) {
        return stdout.lines()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .map(words -> read(words.group(1), words.group(2), folder))
                .toList();
    }

    private static SavedOutput read(String name, String fileName, Path folder) {
        return new SavedOutput(name, execution(name, fileName), fileName, file(fileName, folder));
    }

    private static Optional<Path> file(String fileName, Path folder) {
        try {
            Path file = folder.resolve(fileName);
            return Optional.of(file)
                    .filter(each -> folder.equals(each.getParent()))
                    .filter(each -> Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS));
        } catch (InvalidPathException unmappable) {
            return Optional.empty();
        }
    }

    /** Returns the number after the name in a file name such as {@code y.2}; the first execution has none. */
    private static int execution(String name, String fileName) {
        String suffix = fileName.length() < name.length() ? fileName : fileName.substring(name.length());
        if (suffix.isEmpty()) {
            return FIRST;
        }
        return suffix.matches("\\.[1-9][0-9]{0,8}") ? Integer.parseInt(suffix.substring(1)) : UNKNOWN;
    }

    /** Returns whether this is an output of an execution, as far as the name of its file tells. */
    boolean mayBe(String output, int number) {
        return name.equals(output) && (execution == number || execution == UNKNOWN);
    }

    /** Returns the reason why this output cannot be read; empty if it can. */
    String trouble() {
        String as = "the tool saved it as \"%s\", ".formatted(VisibleText.line(fileName));
        if (file.isEmpty()) {
            return as + "which is not a file of the capture";
        }
        return execution == UNKNOWN ? as + "which does not name the execution" : "";
    }
}
