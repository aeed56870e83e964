package dev.neurontest.fake.internal.systemtool;

import dev.neurontest.fake.internal.help.HelpText;
import dev.neurontest.fake.internal.tool.ToolFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The command line of a Python program: its options, and the messages of its errors. */
final class ArgumentParser {

    private static final int USAGE_ERROR = 2;

    /** The number of values of an option. */
    enum Values {
        NONE,
        ONE,
        /** One of the choices, or none. */
        OPTIONAL,
        MANY
    }

    /**
     * An option.
     *
     * @param letter the short form, such as {@code -r}; empty for none
     * @param name the long form, such as {@code --nworkers}
     * @param choices the possible values; empty for any
     */
    record Option(String letter, String name, Values values, List<String> choices, String does) {

        /** Returns the names as errors show them. */
        @Override
        public String toString() {
            return letter.isEmpty() ? name : letter + "/" + name;
        }
    }

    private final String program;
    private final List<Option> options;
    private final Map<String, List<String>> given = new LinkedHashMap<>();
    private final List<String> words = new ArrayList<>();

    ArgumentParser(String program, List<Option> options) {
        this.program = program;
        this.options = options;
    }

    /**
     * Parses a command line. An option takes a word as its value even if the word was meant as something else. The value may follow in the
     * same word, and a long name may be cut. Each word after {@code --} belongs to no option.
     */
    void parse(List<String> arguments) throws ToolFailure {
        List<String> unknown = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals("--")) {
                words.addAll(arguments.subList(i + 1, arguments.size()));
                break;
            }
            if (!isOption(argument)) {
                words.add(argument);
                continue;
            }
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            String value = equals < 0 ? null : argument.substring(equals + 1);
            Option option = named(name);
            if (option == null && !argument.startsWith("--")) {
                option = find(argument.substring(0, 2));
                value = argument.substring(2);
            }
            if (option == null) {
                unknown.add(argument);
                continue;
            }
            List<String> values = new ArrayList<>();
            if (value != null) {
                if (option.values() == Values.NONE) {
                    throw wrong("argument " + option + ": ignored explicit argument '" + value + "'");
                }
                values.add(value);
            } else {
                int most = switch (option.values()) {
                    case NONE -> 0;
                    case ONE, OPTIONAL -> 1;
                    case MANY -> Integer.MAX_VALUE;
                };
                while (values.size() < most && i + 1 < arguments.size() && !isOption(arguments.get(i + 1))) {
                    values.add(arguments.get(++i));
                }
            }
            requireValues(option, values);
            given.put(option.name(), values);
        }
        if (!unknown.isEmpty()) {
            throw wrong("unrecognized arguments: " + String.join(" ", unknown));
        }
    }

    private static boolean isOption(String argument) {
        return argument.length() > 1 && argument.startsWith("-") && !Character.isDigit(argument.charAt(1));
    }

    /** Returns the option with a name, or the only option with a long name that begins so. */
    private @Nullable Option named(String name) throws ToolFailure {
        Option exact = find(name);
        if (exact != null || !name.startsWith("--")) {
            return exact;
        }
        List<Option> possible = options.stream()
                .filter(option -> option.name().startsWith(name))
                .toList();
        if (possible.size() > 1) {
            throw wrong("ambiguous option: " + name + " could match "
                    + possible.stream().map(Option::name).collect(Collectors.joining(", ")));
        }
        return possible.isEmpty() ? null : possible.get(0);
    }

    private @Nullable Option find(String name) {
        return options.stream()
                .filter(option -> option.name().equals(name) || option.letter().equals(name))
                .findFirst()
                .orElse(null);
    }

    private void requireValues(Option option, List<String> values) throws ToolFailure {
        if (values.isEmpty() && (option.values() == Values.ONE || option.values() == Values.MANY)) {
            throw wrong("argument " + option + ": expected "
                    + (option.values() == Values.ONE ? "one argument" : "at least one argument"));
        }
        for (String value : values) {
            requireChoice(option.toString(), value, option.choices());
        }
    }

    /** Fails if a value is none of some choices. */
    void requireChoice(String argument, String value, List<String> choices) throws ToolFailure {
        if (!choices.isEmpty() && !choices.contains(value)) {
            throw wrong("argument " + argument + ": invalid choice: '" + value + "' (choose from "
                    + choices.stream().map(choice -> "'" + choice + "'").collect(Collectors.joining(", ")) + ")");
        }
    }

    /** Returns a failure with the usage and a message about an option. */
    ToolFailure wrong(String option, String message) {
        return wrong("argument " + find(option) + ": " + message);
    }

    /** Returns a failure with the usage and a message. */
    ToolFailure wrong(String message) {
        return new ToolFailure("usage: " + program + " [options]\n" + program + ": error: " + message, USAGE_ERROR);
    }

    boolean has(String name) {
        return given.containsKey(name);
    }

    /** Returns the value of an option. */
    String get(String name, String otherwise) {
        List<String> values = given.getOrDefault(name, List.of());
        return values.isEmpty() ? otherwise : values.get(0);
    }

    /** Returns the values of an option. */
    List<String> all(String name, List<String> otherwise) {
        return given.getOrDefault(name, otherwise);
    }

    /** Returns a whole number above a limit. */
    int number(String name, int otherwise, int least) throws ToolFailure {
        String text = get(name, "");
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException notOne) {
            throw wrong(name, "invalid int value: '" + text + "'");
        }
        throw wrong(name, text + " is less than " + least);
    }

    /** Returns the words that belong to no option. */
    List<String> words() {
        return words;
    }

    /** Formats the options with what each does. */
    String help() {
        HelpText help = new HelpText();
        for (Option option : options) {
            String value = switch (option.values()) {
                case NONE -> "";
                case ONE -> " VALUE";
                case OPTIONAL -> " [" + String.join("|", option.choices()) + "]";
                case MANY -> " VALUE ...";
            };
            help.add((option.letter().isEmpty() ? "" : option.letter() + ", ") + option.name() + value, option.does());
        }
        return help.toString();
    }
}
