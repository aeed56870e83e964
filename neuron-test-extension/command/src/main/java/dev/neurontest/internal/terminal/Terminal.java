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
 * Where standard output goes, and what the user wants to see there.
 *
 * @param environment of this process
 * @param attached whether standard output is a terminal
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Terminal(Map<String, String> environment, boolean attached) {

    /** Neither a terminal nor wishes. */
    public static final Terminal NONE = new Terminal(Map.of(), false);

    private static final String COLUMNS = "COLUMNS";

    private static final Pattern DEVICE = Pattern.compile("/dev/(pts/[0-9]+|tty.*|console)");

    /** As narrow as text is folded. */
    private static final int NARROWEST = 20;

    private static final int USUAL = 80;

    /**
     * Keeps its own copy.
     *
     * @param environment of this process
     * @param attached whether standard output is a terminal
     */
    public Terminal {
        environment = Map.copyOf(environment);
    }

    /**
     * That of this process.
     *
     * @return as it is now
     */
    public static Terminal ofThisProcess() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        boolean attached = isAttached();
        if (attached && !environment.containsKey(COLUMNS)) {
            columns().ifPresent(number -> environment.put(COLUMNS, number));
        }
        return new Terminal(environment, attached);
    }

    /** A console is more than that: it needs a terminal as standard input as well. */
    private static boolean isAttached() {
        try {
            return DEVICE.matcher(
                            Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString())
                    .matches();
        } catch (IOException | UnsupportedOperationException noProc) {
            return hasConsole();
        }
    }

    /** From JDK 22 on there is a console also without a terminal, and it can be asked. */
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
     * Whether words are coloured: {@code --color}, then {@code NO_COLOR}, then {@code FORCE_COLOR} and {@code CLICOLOR_FORCE}, then
     * {@code TERM} and {@code CLICOLOR} decide; at last whether there is a terminal.
     *
     * @param choice what the option says
     * @return whether they are
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
     * Whether a line can be written over and over.
     *
     * @return true on a terminal that moves its cursor, and before which a person sits
     */
    public boolean rewrites() {
        return attached && !isDumb() && !Settings.isCi(environment);
    }

    /**
     * The width that {@code COLUMNS} says, else that of the terminal.
     *
     * @return in columns; empty where neither is known
     */
    public Optional<Integer> width() {
        return Optional.of(value(COLUMNS))
                .filter(number -> number.matches("[1-9][0-9]{0,4}"))
                .map(number -> Math.max(Integer.parseInt(number), NARROWEST));
    }

    /**
     * How text looks there.
     *
     * @param choice what {@code --color} says
     * @param sequences those that reach the terminal
     * @return folded at the width of the terminal where that is less than usual
     */
    public TerminalLook look(ColorChoice choice, AnsiSequences sequences) {
        return new TerminalLook(
                Math.min(width().orElse(TerminalLook.WIDEST), TerminalLook.WIDEST),
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

    /** Shells know the width of their terminal and keep it to themselves. */
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
