package dev.neurontest.profile.explain;

import dev.neurontest.profile.event.EventRow;
import dev.neurontest.profile.event.Grouping;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Layers with their parts, as their names say: {@code model/layers/0/attention}, or with dots where no name has a slash. */
final class LayerTree {

    /** Deeper parts are named together, so that columns stay wide enough to be read. */
    static final int DEEPEST = 4;

    private final String name;
    private final String path;
    private final Map<String, LayerTree> parts = new LinkedHashMap<>();
    private long before;
    private long after;

    /** The longer of both, so that what is new and what is gone have room. */
    private long room;

    private LayerTree(String name, String path) {
        this.name = name;
        this.path = path;
    }

    static LayerTree of(Collection<RowChange> layers) {
        String separator = layers.stream().anyMatch(layer -> layer.name().contains("/")) ? "/" : ".";
        LayerTree root = new LayerTree("", "");
        layers.forEach(layer -> root.add(layer, separator));
        return root.shortened(separator).limited(separator, 0);
    }

    private void add(RowChange layer, String separator) {
        LayerTree at = this;
        at.take(layer);
        for (String step : layer.name().split(Pattern.quote(separator))) {
            if (!step.isEmpty()) {
                LayerTree above = at;
                at = above.parts.computeIfAbsent(
                        step, none -> new LayerTree(step, above.path.isEmpty() ? step : above.path + separator + step));
                at.take(layer);
            }
        }
    }

    private void take(RowChange layer) {
        before += layer.before().nanos();
        after += layer.after().nanos();
        room += Math.max(layer.before().nanos(), layer.after().nanos());
    }

    /** What has one part and nothing beside it is one with it. */
    private LayerTree shortened(String separator) {
        LayerTree only = parts.size() == 1 ? parts.values().iterator().next() : null;
        if (only != null && only.room == room && !name.isEmpty()) {
            LayerTree both = new LayerTree(name + separator + only.name, only.path);
            both.copy(only, only.parts.values());
            return both.shortened(separator);
        }
        LayerTree copy = new LayerTree(name, path);
        copy.copy(
                this,
                parts.values().stream().map(part -> part.shortened(separator)).toList());
        return copy;
    }

    private LayerTree limited(String separator, int depth) {
        List<LayerTree> kept = new ArrayList<>();
        for (LayerTree part : parts.values()) {
            if (depth + 1 < DEEPEST || part.parts.isEmpty()) {
                kept.add(part.limited(separator, depth + 1));
            } else {
                part.leaves(part.name, separator, kept);
            }
        }
        LayerTree copy = new LayerTree(name, path);
        copy.copy(this, kept);
        return copy;
    }

    private void leaves(String prefix, String separator, List<LayerTree> into) {
        long ofParts = 0;
        for (LayerTree part : parts.values()) {
            part.leaves(prefix + separator + part.name, separator, into);
            ofParts += part.room;
        }
        if (ofParts < room) {
            LayerTree own = new LayerTree(prefix, path);
            own.before = before
                    - parts.values().stream().mapToLong(part -> part.before).sum();
            own.after = after
                    - parts.values().stream().mapToLong(part -> part.after).sum();
            own.room = room - ofParts;
            into.add(own);
        }
    }

    private void copy(LayerTree other, Collection<LayerTree> itsParts) {
        before = other.before;
        after = other.after;
        room = other.room;
        itsParts.forEach(part -> parts.put(part.name, part));
    }

    /** Returns the smallest layer that holds so much of all that grew or shrank; empty when that is no smaller than the model. */
    Optional<LayerTree> holding(double part, boolean grown, long all) {
        LayerTree at = this;
        for (Optional<LayerTree> next = Optional.of(this); next.isPresent(); ) {
            at = next.get();
            next = at.parts.values().stream()
                    .filter(each -> (grown ? each.change() : -each.change()) >= part * all)
                    .findFirst();
        }
        return at.room == room ? Optional.empty() : Optional.of(at);
    }

    /** Returns it as one name. */
    RowChange toChange() {
        return new RowChange(
                new EventRow(Grouping.LAYER, path, before, 0, OptionalLong.empty()),
                new EventRow(Grouping.LAYER, path, after, 0, OptionalLong.empty()),
                true);
    }

    String name() {
        return name;
    }

    /** The whole name, by which a layer is found. */
    String path() {
        return path;
    }

    long before() {
        return before;
    }

    long after() {
        return after;
    }

    long change() {
        return after - before;
    }

    long room() {
        return room;
    }

    /** The largest first. */
    List<LayerTree> parts() {
        return parts.values().stream()
                .sorted(Comparator.comparingLong(LayerTree::room).reversed())
                .toList();
    }

    int depth() {
        return parts.values().stream().mapToInt(part -> 1 + part.depth()).max().orElse(0);
    }
}
