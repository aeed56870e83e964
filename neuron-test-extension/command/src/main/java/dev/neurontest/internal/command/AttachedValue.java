package dev.neurontest.internal.command;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The rule for an option with an optional value: the value follows {@code =}, and the next word never belongs to the option. */
final class AttachedValue implements IParameterPreprocessor {

    /** The separator that picocli passes for an option without {@code =}. */
    private static final String NONE = " ";

    @Override
    public boolean preprocess(Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> details) {
        if (NONE.equals(details.get("separator"))) {
            words.push(((OptionSpec) option).fallbackValue());
        }
        return false;
    }
}
