package dev.neurontest.command;

import dev.neurontest.terminal.Look;
import dev.neurontest.terminal.Terminal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * How help looks. Picocli makes it, with its own colours and for terminals that are not very narrow.
 *
 * @param terminal where it is read
 * @param look whether it has colours, which is known once the arguments were read
 */
record HelpLook(Terminal terminal, Supplier<Look> look) {

    /** Picocli refuses less. There it is told to fold nothing, and what it makes is folded here. */
    private static final int NARROWEST = 55;

    private static final int UNFOLDED = 2_000;
    private static final String USAGE = "Usage: ";
    private static final int OPTIONS = 30;

    private static final Pattern SEQUENCE = Pattern.compile("\u001b(\\[[0-9;]*m)");
    private static final Pattern ITEM = Pattern.compile("(?<name> {2,6}\\S.*?)(?<meaning>| {2,}.*)");
    private static final String MEANING = " ".repeat(8);

    void dress(CommandLine commands) {
        boldHeadings(commands);
        Map<String, IHelpSectionRenderer> sections = new HashMap<>(commands.getHelpSectionMap());
        sections.replaceAll((name, section) -> help -> shown(name, section.render(help)));
        commands.setHelpSectionMap(sections)
                .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.ON))
                .setUsageHelpLongOptionsMaxWidth(OPTIONS);
        terminal.width().ifPresent(columns -> commands.setUsageHelpWidth(columns < NARROWEST ? UNFOLDED : columns));
    }

    private static void boldHeadings(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        usage.synopsisHeading("@|bold " + USAGE.strip() + "|@ ").commandListHeading("@|bold Commands:|@%n");
        usage.footer(Arrays.stream(usage.footer())
                .map(line -> line.matches("[A-Z][a-z ]+:") ? "@|bold " + line + "|@" : line)
                .toArray(String[]::new));
        command.getSubcommands().values().forEach(HelpLook::boldHeadings);
    }

    private String shown(String section, String help) {
        Look seen = look.get();
        if (seen.width() < NARROWEST) {
            boolean list = section.equals(UsageMessageSpec.SECTION_KEY_OPTION_LIST)
                    || section.equals(UsageMessageSpec.SECTION_KEY_PARAMETER_LIST)
                    || section.equals(UsageMessageSpec.SECTION_KEY_COMMAND_LIST);
            String plain = SEQUENCE.matcher(help).replaceAll("");
            if (section.equals(UsageMessageSpec.SECTION_KEY_SYNOPSIS)) {
                return paragraphs(USAGE + plain, seen).substring(USAGE.length());
            }
            return list ? list(plain, seen) : paragraphs(plain, seen);
        }
        return SEQUENCE.matcher(help)
                .replaceAll(found -> Matcher.quoteReplacement(seen.colours()
                        .map(sequences -> sequences.of(found.group(1)))
                        .orElse("")));
    }

    /** Each name on a line of its own, and below it what it means. */
    private static String list(String table, Look look) {
        StringBuilder list = new StringBuilder();
        for (String line : table.split("\n")) {
            Matcher item = ITEM.matcher(line);
            if (item.matches()) {
                list.append(item.group("name")).append('\n');
                line = item.group("meaning");
            }
            list.append(line.isBlank() ? "" : look.folded(MEANING + line.strip(), MEANING) + "\n");
        }
        return list.toString();
    }

    /** A heading stays in the line of what it is a heading of; examples are there to be copied as they are. */
    private static String paragraphs(String text, Look look) {
        return !text.contains("\n")
                ? text
                : text.lines()
                        .map(line -> (line.startsWith("  ") ? line : look.folded(line, "  ")) + "\n")
                        .collect(Collectors.joining());
    }
}
