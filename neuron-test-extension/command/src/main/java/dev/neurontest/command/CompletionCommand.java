package dev.neurontest.command;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints picocli's script, with what lets it complete values such as {@code fake:trn1.2xlarge} in bash. */
@Command(
        name = "generate-completion",
        description = "Prints a script that completes commands, options and their values in bash and zsh.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  source <(neuron-test generate-completion)"})
final class CompletionCommand implements Runnable {

    /**
     * Bash makes several words of {@code fake:trn1} and of {@code --color=always}, and picocli's script sees the last alone. So it is
     * called with the words of the line; and of what it answers, bash wants only what is behind the last colon.
     */
    private static final String WORDS = """

            if [ -n "$BASH_VERSION" ]; then
              function _complete_neuron-test_words() {
                local line="${COMP_LINE:0:$COMP_POINT}" word prefix file
                local -a given COMP_WORDS=()
                read -r -a given <<< "$line"
                case "$line" in *[[:space:]]) given+=("") ;; esac
                for word in "${given[@]}"; do
                  case "$word" in
                    --*=*) COMP_WORDS+=("${word%%=*}" "${word#*=}") ;;
                    *) COMP_WORDS+=("$word") ;;
                  esac
                done
                local COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
                word="${COMP_WORDS[COMP_CWORD]}"
                case "$word" in
                  root:*|replay:*)
                    COMPREPLY=()
                    while read -r file; do COMPREPLY+=("${word%%:*}:$file"); done < <(compgen -f -- "${word#*:}")
                    type compopt &>/dev/null && compopt -o filenames 2>/dev/null
                    ;;
                  *) _complete_neuron-test ;;
                esac
                if [[ "$word" == *:* && "$COMP_WORDBREAKS" == *:* ]]; then
                  prefix="${word%"${word##*:}"}"
                  COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
                fi
                if [[ "${COMPREPLY[*]}" == *[:=] ]]; then
                  type compopt &>/dev/null && compopt -o nospace 2>/dev/null
                fi
              }
              complete -F _complete_neuron-test_words -o default neuron-test
            fi
            """;

    @Spec
    private @Nullable CommandSpec spec;

    /** Picocli makes it. */
    CompletionCommand() {}

    @Override
    public void run() {
        CommandLine commands = Specs.required(spec).root().commandLine();
        PrintWriter out = Specs.required(spec).commandLine().getOut();
        out.print(inAsciiDigits(AutoComplete.bash("neuron-test", commands)) + WORDS);
        out.flush();
    }

    /** Replaces the digits of the default locale, in which picocli numbers the variables of the script. */
    static String inAsciiDigits(String script) {
        return script.codePoints()
                .map(each -> Character.isDigit(each) ? '0' + Character.digit(each, 10) : each)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
