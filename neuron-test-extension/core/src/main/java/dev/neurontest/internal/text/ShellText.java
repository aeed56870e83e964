package dev.neurontest.internal.text;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** A command that a person can paste into a POSIX shell. It is only ever shown. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ShellText {

    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9_.,:=/@%+#-]+");

    private ShellText() {}

    /**
     * The words of a command.
     *
     * @param words each as its program gets it
     * @return with blanks between them; words with odd characters are quoted
     */
    public static String of(List<String> words) {
        return words.stream().map(ShellText::of).collect(Collectors.joining(" "));
    }

    /**
     * One word.
     *
     * @param word as the program gets it
     * @return quoted if it has odd characters
     */
    public static String of(String word) {
        return SAFE.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
