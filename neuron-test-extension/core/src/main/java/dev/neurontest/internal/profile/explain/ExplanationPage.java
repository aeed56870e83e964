package dev.neurontest.internal.profile.explain;

import dev.neurontest.internal.page.PageTemplate;
import dev.neurontest.profile.Grouping;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The explanation as an HTML page: the answer, a drawing of the layers with their changes, and tables. */
final class ExplanationPage {

    private static final PageTemplate PAGE = PageTemplate.of(ExplanationPage.class, "explanation");

    /** Minimum height of a visible layer, in percent. */
    private static final double LOWEST = 0.6;

    /** Minimum height of a layer with a name. */
    private static final double LOWEST_NAMED = 3;

    /** Minimum height of a layer with more than one line of text. */
    private static final double LOWEST_OF_LINES = 7;

    private static final int MOST_ROWS = 50;

    private static final List<Double> STRENGTHS = List.of(0.02, 0.08, 0.2, 0.5);

    private final String title;
    private final Explanation explanation;
    private final ExplanationText words;
    private final Map<String, String> ids = new HashMap<>();

    private ExplanationPage(String title, Explanation explanation) {
        this.title = title;
        this.explanation = explanation;
        this.words = new ExplanationText(explanation);
        explanation
                .group(Grouping.LAYER)
                .ifPresent(layers -> shown(layers).forEach(change -> ids.put(change.name(), "layer-" + ids.size())));
    }

    static String html(String title, Explanation explanation) {
        return PAGE.fill(new ExplanationPage(title, explanation));
    }

    /** A layer in the drawing. All positions are in percent. */
    record Cell(
            double x,
            double y,
            double width,
            double height,
            String kind,
            String label,
            String description,
            Optional<String> link) {}

    /** A name in a table. */
    record Row(
            Optional<String> id,
            String name,
            String before,
            String now,
            String kind,
            String change,
            String share,
            String why) {}

    /** A table. {@code omitted} is the number of omitted rows. */
    record Group(String word, String heading, List<Row> rows, int omitted) {}

    /** The drawing. {@code description} is the text for screen readers. */
    record Layers(String description, List<Cell> cells) {}

    String title() {
        return title;
    }

    String answer() {
        return switch (explanation.answer()) {
            case SLOWER -> "slower";
            case FASTER -> "faster";
            case SAME -> "as fast";
        };
    }

    /** Returns the CSS class of the answer. */
    String verdict() {
        return switch (explanation.answer()) {
            case SLOWER -> "failed";
            case FASTER -> "passed";
            case SAME -> "kept";
        };
    }

    String headline() {
        return words.headline();
    }

    List<String> cautions() {
        return explanation.cautions();
    }

    List<String> facts() {
        return words.facts();
    }

    Optional<Layers> layers() {
        return explanation.group(Grouping.LAYER).map(group -> {
            LayerTree root = LayerTree.of(group.changes());
            List<Cell> cells = new ArrayList<>();
            double column = 100.0 / Math.max(1, root.depth());
            draw(root, group, column, -1, 0, 100.0 / Math.max(1, root.room()), cells);
            return new Layers(ExplanationText.heading(group), cells);
        });
    }

    private void draw(
            LayerTree layer, GroupChange group, double column, int depth, double y, double perNano, List<Cell> cells) {
        double height = layer.room() * perNano;
        if (depth >= 0) {
            cells.add(cell(layer, group, column * depth, y, column, height));
        }
        double top = y;
        for (LayerTree part : layer.parts()) {
            if (part.room() * perNano >= LOWEST) {
                draw(part, group, column, depth + 1, top, perNano, cells);
            }
            top += part.room() * perNano;
        }
    }

    private Cell cell(LayerTree layer, GroupChange group, double x, double y, double width, double height) {
        long change = layer.change();
        int strength = strength(change, group);
        String kind = strength == 0 ? "same" : (change > 0 ? "grew" : "shrank") + " of-" + strength;
        if (height >= LOWEST_OF_LINES) {
            kind += " tall";
        }
        String mark = strength == 0 ? "" : change > 0 ? "\u25b2 " : "\u25bc ";
        String by = strength == 0 ? "" : " " + ExplanationText.signed(change);
        return new Cell(
                x,
                y,
                width,
                height,
                kind,
                height >= LOWEST_NAMED ? mark + layer.name() + by : "",
                "%s: %s before, %s now"
                        .formatted(
                                layer.path(),
                                ExplanationText.time(layer.before()),
                                ExplanationText.time(layer.after())),
                strength == 0 ? Optional.empty() : link(layer, group));
    }

    /** Returns the strength of the color, from 0 for noise to 4. */
    private static int strength(long change, GroupChange group) {
        boolean noise = change > 0 ? group.grown().isEmpty() : group.shrunk().isEmpty();
        double part = Math.abs(change) / (double) Math.max(1, change > 0 ? group.growth() : group.shrinkage());
        return noise
                ? 0
                : (int) STRENGTHS.stream().filter(least -> part >= least).count();
    }

    /** Returns the link to the row of a layer, or to the row with the largest change within it. */
    private Optional<String> link(LayerTree layer, GroupChange group) {
        return shown(group).stream()
                .map(RowChange::name)
                .filter(name -> name.contains(layer.path()))
                .findFirst()
                .map(ids::get);
    }

    private static List<RowChange> shown(GroupChange group) {
        return group.shown(MOST_ROWS);
    }

    List<Group> groups() {
        return explanation.groups().stream().map(this::group).toList();
    }

    private Group group(GroupChange group) {
        List<RowChange> shown = shown(group);
        return new Group(
                group.grouping().word(),
                ExplanationText.heading(group),
                shown.stream().map(change -> row(group, change)).toList(),
                group.omitted(MOST_ROWS));
    }

    private Row row(GroupChange group, RowChange change) {
        return new Row(
                group.grouping() == Grouping.LAYER ? Optional.ofNullable(ids.get(change.name())) : Optional.empty(),
                change.name(),
                ExplanationText.time(change.before().nanos()),
                ExplanationText.time(change.after().nanos()),
                change.nanos() > 0 ? "violated" : "kept",
                ExplanationText.signed(change.nanos()),
                ExplanationText.ofGrowth(group, change),
                change.why());
    }
}
