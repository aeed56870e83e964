package dev.neurontest.internal.text;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** A command to paste into a POSIX shell. It is only displayed. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ShellText {

    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9_.,:=/@%+#-]+");

    private ShellText() {}

    /**
     * Returns the words of a command, separated by spaces. Words with special characters are quoted.
     *
     * @param words the arguments of the program
     */
    public static String of(List<String> words) {
        return words.stream().map(ShellText::of).collect(Collectors.joining(" "));
    }

    /**
     * Returns one word, quoted if it has special characters.
     *
     * @param word an argument of the program
     */
    public static String of(String word) {
        return SAFE.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
