package dev.neurontest.internal.terminal;

import dev.neurontest.internal.configuration.Settings;
import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The destination of standard output, with the user's wishes for it.
 *
 * @param environment the environment of this process
 * @param attached true if standard output is a terminal
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Terminal(Map<String, String> environment, boolean attached) {

    /** A destination without a terminal and without wishes. */
    public static final Terminal NONE = new Terminal(Map.of(), false);

    private static final String COLUMNS = "COLUMNS";

    private static final Pattern DEVICE = Pattern.compile("/dev/(pts/[0-9]+|tty.*|console)");

    /** Minimum width in columns at which text is folded. */
    private static final int NARROWEST = 20;

    private static final int USUAL = 80;

    /** Creates a terminal with a copy of the environment. */
    public Terminal {
        environment = Map.copyOf(environment);
    }

    /** Returns the current terminal of this process. */
    public static Terminal ofThisProcess() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        boolean attached = isAttached();
        if (attached && !environment.containsKey(COLUMNS)) {
            columns().ifPresent(number -> environment.put(COLUMNS, number));
        }
        return new Terminal(environment, attached);
    }

    /**
     * Returns whether standard output is a terminal. A console is not checked first, because it also needs a terminal as standard input.
     */
    private static boolean isAttached() {
        try {
            return DEVICE.matcher(
                            Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString())
                    .matches();
        } catch (IOException | UnsupportedOperationException noProc) {
            return hasConsole();
        }
    }

    /**
     * Returns whether there is a console on a terminal. From JDK 22 on, a console also exists without a terminal and has a method to check
     * that.
     */
    private static boolean hasConsole() {
        @Nullable Console console = System.console();
        try {
            return console != null
                    && (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException older) {
            return true;
        } catch (ReflectiveOperationException refused) {
            return false;
        }
    }

    /**
     * Returns whether words are colored. {@code --color} decides first, then {@code NO_COLOR}, then {@code FORCE_COLOR} and
     * {@code CLICOLOR_FORCE}. Otherwise words are colored on a terminal, unless {@code TERM} or {@code CLICOLOR} disables colors.
     *
     * @param choice the value of the option
     */
    public boolean hasColours(ColorChoice choice) {
        return switch (choice) {
            case ALWAYS -> true;
            case NEVER -> false;
            case AUTO ->
                !isSet("NO_COLOR")
                        && (isForced("FORCE_COLOR")
                                || isForced("CLICOLOR_FORCE")
                                || attached && !isDumb() && !value("CLICOLOR").equals("0"));
        };
    }

    /**
     * Returns whether a line can be rewritten.
     *
     * @return true on a terminal that can move its cursor, except in CI
     */
    public boolean rewrites() {
        return attached && !isDumb() && !Settings.isCi(environment);
    }

    /**
     * Returns the width in {@code COLUMNS}, or else that of the terminal.
     *
     * @return the number of columns; empty if neither is known
     */
    public Optional<Integer> width() {
        return Optional.of(value(COLUMNS))
                .filter(number -> number.matches("[1-9][0-9]{0,4}"))
                .map(number -> Math.max(Integer.parseInt(number), NARROWEST));
    }

    /**
     * Returns the look of text on this terminal.
     *
     * @param choice the value of {@code --color}
     * @param sequences the escape sequences that are allowed on the terminal
     * @return a look that folds lines at the width of the terminal, if it is narrower than usual
     */
    public TerminalStyle style(ColorChoice choice, AnsiSequences sequences) {
        return new TerminalStyle(
                Math.min(width().orElse(TerminalStyle.WIDEST), TerminalStyle.WIDEST),
                Optional.of(sequences).filter(own -> hasColours(choice)));
    }

    int lineWidth() {
        return width().orElse(USUAL);
    }

    private boolean isDumb() {
        return value("TERM").equals("dumb");
    }

    private boolean isForced(String name) {
        return isSet(name) && !value(name).equals("0") && !value(name).equalsIgnoreCase("false");
    }

    private boolean isSet(String name) {
        return !value(name).isEmpty();
    }

    private String value(String name) {
        return environment.getOrDefault(name, "");
    }

    /** Reads the width from the terminal, because shells do not export it. */
    private static Optional<String> columns() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String[] size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .strip()
                    .split(" ");
            return size.length == 2 ? Optional.of(size[1]) : Optional.empty();
        } catch (IOException none) {
            return Optional.empty();
        }
    }
}
