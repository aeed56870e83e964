package dev.neurontest.fake.internal.tool;

import dev.neurontest.fake.internal.help.HelpText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The flags of a command, parsed like in the genuine tools: {@code --name=value}, {@code --name value}, {@code -nvalue},
 * {@code -n value}, {@code -n=value}, and {@code --} before words that are no flags. The messages are those of the genuine tools'
 * flag library.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class GoFlags {

    /** The kind of a flag's value. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Kind {
        /** Flag without a value. */
        NOTHING,
        /** Flag with any text. */
        TEXT,
        /** Flag with an integer. */
        NUMBER
    }

    /**
     * A flag.
     *
     * @param letter the short form; 0 for none
     * @param name the long form
     * @param kind kind of the value
     * @param does text for the help
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Flag(char letter, String name, Kind kind, String does) {

        private static final String NOTHING_HERE = "Changes nothing here.";

        /**
         * Returns the same flag with a help text.
         *
         * @param sentence the help text
         */
        public Flag does(String sentence) {
            return new Flag(letter, name, kind, sentence);
        }

        @Override
        public String toString() {
            return letter == 0 ? "--" + name : "-" + letter + ", --" + name;
        }
    }

    private final Flag[] definedFlags;
    private final Map<String, String> values = new HashMap<>();
    private final List<String> words = new ArrayList<>();

    private GoFlags(Flag[] definedFlags) {
        this.definedFlags = definedFlags;
    }

    /**
     * Creates a flag without a value.
     *
     * @param name the long form
     */
    public static Flag flag(String name) {
        return flag(0, name);
    }

    /**
     * Creates a flag without a value.
     *
     * @param letter the short form; 0 for none
     * @param name the long form
     */
    public static Flag flag(int letter, String name) {
        return new Flag((char) letter, name, Kind.NOTHING, Flag.NOTHING_HERE);
    }

    /**
     * Creates a flag with a text.
     *
     * @param letter the short form; 0 for none
     * @param name the long form
     */
    public static Flag text(int letter, String name) {
        return new Flag((char) letter, name, Kind.TEXT, Flag.NOTHING_HERE);
    }

    /**
     * Creates a flag with a number.
     *
     * @param letter the short form; 0 for none
     * @param name the long form
     */
    public static Flag number(int letter, String name) {
        return new Flag((char) letter, name, Kind.NUMBER, Flag.NOTHING_HERE);
    }

    /**
     * Parses a command line.
     *
     * @param definedFlags the flags of the command
     * @throws ToolFailure if a flag is unknown or lacks its value
     */
    public static GoFlags parse(Flag[] definedFlags, List<String> arguments) throws ToolFailure {
        GoFlags flags = new GoFlags(definedFlags);
        flags.read(arguments);
        return flags;
    }

    /** Returns whether a command line contains a help flag. */
    public static boolean asksForHelp(List<String> arguments) {
        int end = arguments.indexOf("--");
        return arguments.subList(0, end < 0 ? arguments.size() : end).stream()
                .anyMatch(argument -> argument.equals("--help") || argument.equals("-h"));
    }

    /**
     * Returns the help of a command, with a flag on each line.
     *
     * @param tool name of the tool
     * @param command name of the command
     * @param definedFlags flags of the command
     */
    public static String help(String tool, String command, Flag[] definedFlags) {
        return """
                Usage:
                  %s [OPTIONS] %s [%2$s-OPTIONS]

                Help Options:
                  -h, --help

                [%2$s command options]
                %s""".formatted(tool, command, columns(definedFlags));
    }

    /** Formats flags and their help texts, a flag on each line. */
    public static String columns(Flag[] definedFlags) {
        HelpText flags = new HelpText();
        for (Flag flag : definedFlags) {
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
                    // Several letters in a word.
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
        for (Flag flag : definedFlags) {
            if (isLong ? flag.name().equals(name) : flag.letter() == name.charAt(0)) {
                return flag;
            }
        }
        throw new ToolFailure("unknown flag `" + name + "'");
    }

    /**
     * Returns whether a flag was given.
     *
     * @param name the long form
     */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /**
     * Returns the value of a flag.
     *
     * @param name the long form
     * @param otherwise the result if the flag was not given
     * @return the last value of several
     */
    public String get(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    /**
     * Returns the number of a flag.
     *
     * @param name the long form
     * @param otherwise the result if the flag was not given
     * @return the last value of several
     */
    public int number(String name, int otherwise) {
        return has(name) ? Integer.parseInt(get(name, "")) : otherwise;
    }

    /** Returns the words that are no flags, in order. */
    public List<String> words() {
        return words;
    }
}
