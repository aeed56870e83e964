package dev.neurontest.internal.profile.explain;

import dev.neurontest.profile.EventRow;
import dev.neurontest.profile.Grouping;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The tree of layers by their names: {@code model/layers/0/attention}, or with dots if no name contains a slash.
 *
 * @param name the name within the parent layer; a layer with exactly one part and no own time is merged with that part
 * @param path the whole name, which identifies the layer
 * @param before nanoseconds before
 * @param after nanoseconds after
 * @param room the sum of the longer time of each row; it gives new and removed rows a place in the drawing
 * @param parts the parts, with the largest first
 */
record LayerTree(String name, String path, long before, long after, long room, List<LayerTree> parts) {

    /** Maximum depth. Deeper parts share one name, to keep the columns wide enough for reading. */
    static final int DEEPEST = 4;

    /** A row with the parts of its name. */
    private record Layer(List<String> steps, RowChange change) {}

    static LayerTree of(Collection<RowChange> layers) {
        String separator = layers.stream().anyMatch(layer -> layer.name().contains("/")) ? "/" : ".";
        return tree(
                separator,
                "",
                layers.stream()
                        .map(layer -> new Layer(
                                Stream.of(layer.name().split("[" + separator + "]"))
                                        .filter(step -> !step.isEmpty())
                                        .toList(),
                                layer))
                        .toList(),
                0,
                0);
    }

    /** Creates a layer from rows with the same beginning of their names. */
    private static LayerTree tree(String separator, String name, List<Layer> layers, int steps, int depth) {
        List<Layer> inside =
                layers.stream().filter(layer -> layer.steps().size() > steps).toList();
        boolean hasOnePart = inside.stream()
                        .map(layer -> layer.steps().get(steps))
                        .distinct()
                        .count()
                == 1;
        if (!name.isEmpty() && hasOnePart && inside.size() == layers.size()) {
            return tree(separator, name + separator + inside.get(0).steps().get(steps), layers, steps + 1, depth);
        }
        Map<List<String>, List<Layer>> byName = new LinkedHashMap<>();
        for (Layer layer : inside) {
            int end = depth + 1 < DEEPEST ? steps + 1 : layer.steps().size();
            byName.computeIfAbsent(layer.steps().subList(steps, end), none -> new ArrayList<>())
                    .add(layer);
        }
        return new LayerTree(
                name,
                layers.isEmpty()
                        ? ""
                        : String.join(separator, layers.get(0).steps().subList(0, steps)),
                sum(layers, change -> change.before().nanos()),
                sum(layers, change -> change.after().nanos()),
                sum(
                        layers,
                        change ->
                                Math.max(change.before().nanos(), change.after().nanos())),
                byName.entrySet().stream()
                        .map(part -> tree(
                                separator,
                                String.join(separator, part.getKey()),
                                part.getValue(),
                                steps + part.getKey().size(),
                                depth + 1))
                        .sorted(Comparator.comparingLong(LayerTree::room).reversed())
                        .toList());
    }

    private static long sum(List<Layer> layers, ToLongFunction<RowChange> nanos) {
        return layers.stream().map(Layer::change).mapToLong(nanos).sum();
    }

    /**
     * Finds the smallest layer with at least the given share of the total growth or shrinkage. Returns empty when that layer is the whole
     * model.
     */
    Optional<LayerTree> holding(double part, boolean grown, long all) {
        LayerTree at = this;
        for (Optional<LayerTree> next = Optional.of(this); next.isPresent(); ) {
            at = next.get();
            next = at.parts.stream()
                    .filter(each -> (grown ? each.change() : -each.change()) >= part * all)
                    .findFirst();
        }
        return at.room == room ? Optional.empty() : Optional.of(at);
    }

    /** Returns the layer as the change of a single name. */
    RowChange toChange() {
        return new RowChange(
                new EventRow(Grouping.LAYER, path, before, 0, OptionalLong.empty()),
                new EventRow(Grouping.LAYER, path, after, 0, OptionalLong.empty()),
                true);
    }

    long change() {
        return after - before;
    }

    int depth() {
        return parts.stream().mapToInt(part -> 1 + part.depth()).max().orElse(0);
    }
}
