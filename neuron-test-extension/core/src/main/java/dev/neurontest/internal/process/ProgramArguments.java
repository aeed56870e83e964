package dev.neurontest.internal.process;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * A filter that masks passwords in the arguments of certain programs, where the option does not look like a secret, such as
 * {@code curl -u user:password}. An option has this meaning for a single program only: {@code ssh -p} is a port. The words of a
 * command must be passed in their order.
 */
final class ProgramArguments {

    /**
     * An option with a password.
     *
     * @param kind {@code next}: the password is the next word; {@code attached}: it is in the same word; {@code both}
     * @param user true if a user name and a colon precede the password
     */
    private record Option(String word, String kind, boolean user) {

        String masked(String value, int from) {
            int start = user ? value.indexOf(':', from) + 1 : from;
            return user && (start == 0 || start == value.length()) ? value : value.substring(0, start) + Redaction.MASK;
        }
    }

    /** The options by program, and by program and "login". */
    private static final Map<String, List<Option>> OPTIONS = new HashMap<>();

    /** The texts that a quick check of a line searches for. */
    private static final Set<String> TRACES = new LinkedHashSet<>();

    static {
        for (String[] row : Redaction.table("password-options.txt")) {
            int login = row[0].indexOf('+');
            OPTIONS.putIfAbsent(login < 0 ? row[0] : row[0].substring(0, login), new ArrayList<>());
            String name = row[0].replace('+', ' ');
            OPTIONS.putIfAbsent(name, new ArrayList<>());
            OPTIONS.get(name).add(new Option(row[2], row[1], row.length > 3));
            TRACES.add(row[0].substring(login + 1));
        }
    }

    private static final String BETWEEN = " \t\r\n,\"'[]()|;&\\`";

    private String program = "";
    private @Nullable Option next;

    static boolean mayBeIn(String text) {
        for (String trace : TRACES) {
            if (text.contains(trace)) {
                return true;
            }
        }
        return false;
    }

    /** Masks the commands in a line. */
    static String mask(String line) {
        if (!mayBeIn(line)) {
            return line;
        }
        StringBuilder masked = new StringBuilder(line.length());
        ProgramArguments arguments = new ProgramArguments();
        int done = 0;
        for (int at = 0; at < line.length(); ) {
            char first = line.charAt(at);
            if (BETWEEN.indexOf(first) >= 0) {
                if ("|;&`".indexOf(first) >= 0) {
                    arguments = new ProgramArguments();
                }
                at++;
                continue;
            }
            int end = end(line, at, arguments.next != null);
            if (isEscape(line, at) && OPTIONS.containsKey(nameOf(line.substring(at + 1, end)))) {
                at++;
            }
            masked.append(line, done, at).append(arguments.masked(line.substring(at, end)));
            at = end;
            done = end;
        }
        return masked.append(line, done, line.length()).toString();
    }

    /** Checks for an escaped line end or tab in JSON, which might precede a program. */
    private static boolean isEscape(String line, int at) {
        return at > 0 && line.charAt(at - 1) == '\\' && "nrt".indexOf(line.charAt(at)) >= 0;
    }

    private static String nameOf(String word) {
        return word.substring(word.lastIndexOf('/') + 1);
    }

    /** Returns the end of a word. A quoted value may contain blanks. A value may contain characters that otherwise end a command. */
    private static int end(String line, int start, boolean value) {
        if (value && start > 0 && "\"'".indexOf(line.charAt(start - 1)) >= 0) {
            boolean escaped = start > 1 && line.charAt(start - 2) == '\\';
            return Redaction.quotedEnd(line, start, line.substring(escaped ? start - 2 : start - 1, start));
        }
        String ends = value ? " \t\r\n\"',]" : BETWEEN;
        int end = start;
        while (end < line.length() && ends.indexOf(line.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    /** Masks the next word of a command if the earlier words require it. */
    String masked(String word) {
        Option before = next;
        next = null;
        if (before != null) {
            // A password might be followed by another program, for example after sshpass.
            program = before.user() ? program : "";
            return before.masked(word, 0);
        }
        String name = nameOf(word);
        if (OPTIONS.containsKey(name)) {
            program = name;
            return word;
        }
        if (word.equals("login") && OPTIONS.containsKey(program + " login")) {
            program += " login";
            return word;
        }
        for (Option option : OPTIONS.getOrDefault(program, List.of())) {
            Matcher matcher = Redaction.pattern(option.word()).matcher(word);
            if (!option.kind().equals("attached") && matcher.matches()) {
                next = option;
                return word;
            }
            if (!option.kind().equals("next") && matcher.lookingAt() && matcher.end() < word.length()) {
                return option.masked(word, matcher.end());
            }
        }
        return word;
    }
}
