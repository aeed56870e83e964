package dev.neurontest.process;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * Options that take a password although their names do not say so, such as {@code curl -u user:password}. An option means this for one
 * program only: {@code ssh -p} is a port.
 */
final class PasswordOptions {

    static final String LOGIN = "login";
    /** By program, and by program and "login". */
    private static final Map<String, List<Option>> OPTIONS = new HashMap<>();

    /** An option: whether the password is in the same word, and whether the name of a user and a colon are before it. */
    private record Option(String word, boolean attached, boolean user) {}

    /** A password: where it begins in the word of its option, at the end if it follows, and whether a user is before it. */
    record Password(int begin, boolean user) {}

    static {
        for (String[] row : Redaction.table("password-options.txt")) {
            String program = row[0].replace('+', ' ');
            OPTIONS.putIfAbsent(program.split(" ")[0], new ArrayList<>());
            for (String kind : row[1].equals("both") ? List.of("next", "attached") : List.of(row[1])) {
                OPTIONS.computeIfAbsent(program, name -> new ArrayList<>())
                        .add(new Option(row[2], kind.equals("attached"), row.length > 3));
            }
        }
    }

    private PasswordOptions() {}

    /** Returns the names of the programs, for a regular expression. */
    static String programs() {
        return LOGIN + "|" + String.join("|", OPTIONS.keySet());
    }

    /**
     * Finds an option that takes a password.
     *
     * @param program the last one before it, with "login" if that is between them
     * @param word the option, with what is attached to it
     * @return null where it takes none
     */
    static @Nullable Password find(String program, String word) {
        for (Option option : OPTIONS.getOrDefault(program, List.of())) {
            Matcher found = Redaction.pattern(option.word()).matcher(word);
            if (option.attached() ? found.lookingAt() && found.end() < word.length() : found.matches()) {
                return new Password(option.attached() ? found.end() : word.length(), option.user());
            }
        }
        return null;
    }
}
