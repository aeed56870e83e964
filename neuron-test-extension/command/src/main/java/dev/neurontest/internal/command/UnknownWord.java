package dev.neurontest.internal.command;

import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.text.NearestName;
import dev.neurontest.internal.text.ShellText;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A word that a command does not accept.
 *
 * @param command the command before the word
 * @param words all words of the command line
 */
record UnknownWord(CommandSpec command, List<String> words, String word) {

    private static final String PROPERTY = "-D";
    private static final String SETTINGS = "neuron.test.";
    private static final String CONFIGURATION = "--config";
    private static final String JVM_OPTION = "--jvm-option";

    /** Returns what the user probably meant, as a sentence; empty if nothing is similar. */
    Optional<String> advice() {
        if (word.startsWith(PROPERTY) && word.length() > PROPERTY.length()) {
            return Optional.of(property(word.substring(PROPERTY.length())));
        }
        if (word.startsWith("-")) {
            Stream<String> options = command.optionsMap().keySet().stream().filter(name -> name.startsWith("--"));
            return near(word.split("=", 2)[0], options.toList()).map("Did you mean %s?"::formatted);
        }
        Map<String, CommandLine> subcommands = command.subcommands();
        return optionBefore()
                .map(option -> "Write %s=%s.".formatted(option, ShellText.of(word)))
                .or(() -> near(word, subcommands.keySet())
                        .map(name -> "Did you mean '%s'?"
                                .formatted(
                                        subcommands.get(name).getCommandSpec().qualifiedName())));
    }

    /** Returns the option before the word, if its optional value needs an equals sign. */
    private Optional<String> optionBefore() {
        return IntStream.range(1, words.size())
                .filter(at -> words.get(at).equals(word))
                .mapToObj(at -> words.get(at - 1))
                .filter(before -> Optional.ofNullable(command.findOption(before))
                        .map(OptionSpec::preprocessor)
                        .filter(AttachedValue.class::isInstance)
                        .isPresent())
                .findFirst();
    }

    /** Returns the name with the fewest typing errors, or the only one that begins with the word. */
    private static Optional<String> near(String word, Collection<String> names) {
        List<String> begun =
                names.stream().filter(name -> name.startsWith(word)).toList();
        return begun.size() == 1 ? Optional.of(begun.get(0)) : NearestName.of(word, names);
    }

    /** Returns the place for a property that Java and Maven accept in this form. */
    private String property(String assignment) {
        String name = assignment.split("=", 2)[0];
        String complete = name.equals(assignment) ? name + "=VALUE" : assignment;
        if (accepts(CONFIGURATION) && (name.startsWith(SETTINGS) || name.startsWith("junit."))) {
            return "Write %s %s.".formatted(CONFIGURATION, ShellText.of(complete));
        }
        if (accepts(JVM_OPTION)) {
            return "Write %s: the tests run in a JVM of their own.".formatted(ShellText.of(JVM_OPTION + "=" + word));
        }
        return Setting.all().stream()
                .filter(setting -> setting.name().equals(name))
                .findFirst()
                .map(setting -> "Set the variable before the command: %s=%s %s"
                        .formatted(
                                setting.environmentVariable(),
                                ShellText.of(complete.substring(name.length() + 1)),
                                command.qualifiedName()))
                .orElseGet(() -> "Options for Java are in JDK_JAVA_OPTIONS.");
    }

    private boolean accepts(String name) {
        return command.optionsMap().containsKey(name);
    }
}
