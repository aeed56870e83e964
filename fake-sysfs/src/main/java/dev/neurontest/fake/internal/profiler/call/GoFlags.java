package dev.neurontest.fake.internal.profiler.call;

import dev.neurontest.fake.internal.help.HelpText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The flags of a command as the genuine tools read them: {@code --name=value}, {@code --name value}, {@code -nvalue},
 * {@code -n value}, {@code -n=value}, and {@code --} before words that are none. The messages are those of the library that
 * the tools are made with.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class GoFlags {

    /** What comes behind a flag. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Kind {
        /** Nothing. */
        NOTHING,
        /** Any word. */
        TEXT,
        /** A whole number. */
        NUMBER
    }

    /**
     * A flag.
     *
     * @param letter its short form; 0 for none
     * @param name its long form
     * @param kind what comes behind it
     * @param does what it does, for the help
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Flag(char letter, String name, Kind kind, String does) {

        private static final String NOTHING_HERE = "Changes nothing here.";

        /**
         * The same flag with a help.
         *
         * @param sentence what it does
         * @return another flag
         */
        public Flag does(String sentence) {
            return new Flag(letter, name, kind, sentence);
        }

        @Override
        public String toString() {
            return letter == 0 ? "--" + name : "-" + letter + ", --" + name;
        }
    }

    private final Flag[] known;
    private final Map<String, String> values = new HashMap<>();
    private final List<String> words = new ArrayList<>();

    private GoFlags(Flag[] known) {
        this.known = known;
    }

    /**
     * A flag behind which nothing comes.
     *
     * @param name its long form
     * @return the flag
     */
    public static Flag flag(String name) {
        return flag(0, name);
    }

    /**
     * A flag behind which nothing comes.
     *
     * @param letter its short form; 0 for none
     * @param name its long form
     * @return the flag
     */
    public static Flag flag(int letter, String name) {
        return new Flag((char) letter, name, Kind.NOTHING, Flag.NOTHING_HERE);
    }

    /**
     * A flag behind which a word comes.
     *
     * @param letter its short form; 0 for none
     * @param name its long form
     * @return the flag
     */
    public static Flag text(int letter, String name) {
        return new Flag((char) letter, name, Kind.TEXT, Flag.NOTHING_HERE);
    }

    /**
     * A flag behind which a number comes.
     *
     * @param letter its short form; 0 for none
     * @param name its long form
     * @return the flag
     */
    public static Flag number(int letter, String name) {
        return new Flag((char) letter, name, Kind.NUMBER, Flag.NOTHING_HERE);
    }

    /**
     * Reads a command line, of which the first word that is no flag may end it.
     *
     * @param known the flags of the command
     * @param arguments the command line
     * @return what it says
     * @throws ToolFailure when a flag is unknown, or lacks what comes behind it
     */
    public static GoFlags parse(Flag[] known, List<String> arguments) throws ToolFailure {
        GoFlags flags = new GoFlags(known);
        flags.read(arguments);
        return flags;
    }

    /**
     * Whether a command line asks how to call the command.
     *
     * @param arguments the command line
     * @return true when it does
     */
    public static boolean asksForHelp(List<String> arguments) {
        int end = arguments.indexOf("--");
        return arguments.subList(0, end < 0 ? arguments.size() : end).stream()
                .anyMatch(argument -> argument.equals("--help") || argument.equals("-h"));
    }

    /**
     * How to call a command, a flag on each line.
     *
     * @param tool the name of the tool
     * @param command the name of the command
     * @param known its flags
     * @return lines
     */
    public static String help(String tool, String command, Flag[] known) {
        return """
                Usage:
                  %s [OPTIONS] %s [%2$s-OPTIONS]

                Help Options:
                  -h, --help

                [%2$s command options]
                %s""".formatted(tool, command, columns(known));
    }

    /**
     * Flags, each with what it does.
     *
     * @param known the flags
     * @return lines
     */
    public static String columns(Flag[] known) {
        HelpText flags = new HelpText();
        for (Flag flag : known) {
            flags.add(
                    (flag.letter() == 0 ? "    " : "") + flag + (flag.kind() == Kind.NOTHING ? "" : "="), flag.does());
        }
        return flags.toString();
    }

    private void read(List<String> arguments) throws ToolFailure {
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals("--")) {
                words.addAll(arguments.subList(i + 1, arguments.size()));
                return;
            }
            if (argument.length() < 2 || argument.charAt(0) != '-') {
                words.add(argument);
                continue;
            }
            boolean isLong = argument.charAt(1) == '-';
            int equals = argument.indexOf('=');
            String name;
            String value;
            if (isLong) {
                name = argument.substring(2, equals < 0 ? argument.length() : equals);
                value = equals < 0 ? null : argument.substring(equals + 1);
            } else {
                name = argument.substring(1, 2);
                value = argument.length() == 2 ? null : argument.substring(equals == 2 ? 3 : 2);
            }
            Flag flag = find(name, isLong);
            if (flag.kind() == Kind.NOTHING) {
                if (value != null && !isLong && equals < 0) {
                    // Several letters in one word.
                    values.put(flag.name(), "true");
                    read(List.of("-" + value));
                } else if (value != null) {
                    throw new ToolFailure("bool flag `" + flag + "' cannot have an argument");
                }
                values.put(flag.name(), "true");
                continue;
            }
            if (value == null) {
                if (i + 1 == arguments.size()) {
                    throw new ToolFailure("expected argument for flag `" + flag + "'");
                }
                value = arguments.get(++i);
                if (looksLikeFlag(value)) {
                    throw new ToolFailure("expected argument for flag `" + flag + "', but got option `" + value + "'");
                }
            }
            if (flag.kind() == Kind.NUMBER) {
                requireNumber(flag, value);
            }
            values.put(flag.name(), value);
        }
    }

    private static boolean looksLikeFlag(String value) {
        return value.length() > 1 && value.charAt(0) == '-' && !Character.isDigit(value.charAt(1));
    }

    private static void requireNumber(Flag flag, String value) throws ToolFailure {
        try {
            Integer.parseInt(value);
        } catch (NumberFormatException wrong) {
            throw new ToolFailure("invalid argument for flag `" + flag
                    + "' (expected int): strconv.ParseInt: parsing \"" + value + "\": invalid syntax");
        }
    }

    private Flag find(String name, boolean isLong) throws ToolFailure {
        for (Flag flag : known) {
            if (isLong ? flag.name().equals(name) : flag.letter() == name.charAt(0)) {
                return flag;
            }
        }
        throw new ToolFailure("unknown flag `" + name + "'");
    }

    /**
     * Whether a flag was given.
     *
     * @param name its long form
     * @return true when it was
     */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /**
     * What came behind a flag.
     *
     * @param name its long form
     * @param otherwise what to answer when it was not given
     * @return the last of several
     */
    public String get(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    /**
     * The number that came behind a flag.
     *
     * @param name its long form
     * @param otherwise what to answer when it was not given
     * @return the last of several
     */
    public int number(String name, int otherwise) {
        return has(name) ? Integer.parseInt(get(name, "")) : otherwise;
    }

    /**
     * What is no flag.
     *
     * @return in order
     */
    public List<String> words() {
        return words;
    }
}
