package dev.neurontest.conformance;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The views of a host, each with its missing abilities: all differences that the suite allows. */
enum View {
    IN_PROCESS("in process (`fake:…`)", Ability.FILES, Ability.REFUSED_MAPS),
    DIRECTORY(
            "directory (`?view=directory`)",
            Ability.READ_YOUR_WRITE,
            Ability.KEPT_OPEN,
            Ability.POLL,
            Ability.SIZE_OF_A_PAGE,
            Ability.REFUSED_WRITES,
            Ability.REFUSED_CREATES,
            Ability.PAGE_WRITES,
            Ability.REFUSED_MAPS,
            Ability.CLOCK,
            Ability.ERRORS,
            Ability.DELAYS,
            Ability.COUNTED_READS),
    FUSE("FUSE (`?view=fuse`)"),
    REPLAY("recording (`replay:…`)", Ability.FILES, Ability.REFUSED_MAPS, Ability.POWER),
    HARDWARE("hardware (`real`)", Ability.SCRIPT, Ability.POWER, Ability.ERRORS, Ability.DELAYS, Ability.COUNTED_READS);

    private final String heading;
    private final Set<Ability> lacks;

    View(String heading, Ability... lacks) {
        this.heading = heading;
        this.lacks = EnumSet.noneOf(Ability.class);
        this.lacks.addAll(Arrays.asList(lacks));
    }

    Set<Ability> lacks() {
        return lacks;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Returns a Markdown table of the views and their abilities. */
    static String table() {
        List<View> views = List.of(values());
        StringBuilder table = new StringBuilder("|");
        views.forEach(view -> table.append(" | ").append(view.heading));
        table.append(" |\n|").append("---|".repeat(views.size() + 1)).append('\n');
        for (Ability ability : Ability.values()) {
            ability.title()
                    .ifPresent(title -> table.append("| ")
                            .append(title)
                            .append(views.stream()
                                    .map(view -> view.lacks.contains(ability) ? "no" : "yes")
                                    .collect(Collectors.joining(" | ", " | ", " |\n"))));
        }
        return table.toString();
    }
}
