package dev.neurontest.internal.profile.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.profile.EventRow;
import dev.neurontest.profile.Grouping;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LayerTreeTest {

    private static RowChange layer(String name, long before, long after) {
        return new RowChange(row(name, before), row(name, after), true);
    }

    private static EventRow row(String name, long nanos) {
        return new EventRow(Grouping.LAYER, name, nanos, 1, OptionalLong.empty());
    }

    private static String drawn(LayerTree tree) {
        return tree.parts().stream()
                .map(part -> "%s %s%s".formatted(part.name(), part.change(), drawn(part)))
                .collect(Collectors.joining(
                        ", ", tree.parts().isEmpty() ? "" : " (", tree.parts().isEmpty() ? "" : ")"));
    }

    private static String drawn(RowChange... layers) {
        return drawn(LayerTree.of(Arrays.asList(layers))).strip();
    }

    @Test
    void partsAreBelowTheirLayer() {
        // then
        assertThat(drawn(layer("model/0/attention", 10, 15), layer("model/0/mlp", 4, 3), layer("model/1", 2, 2)))
                .isEqualTo("(model 4 (0 4 (attention 5, mlp -1), 1 0))");
    }

    @Test
    void layerWithSinglePartMergesWithIt() {
        // then
        assertThat(drawn(layer("model/layers/0/attention", 10, 15), layer("model/layers/0/mlp", 4, 3)))
                .isEqualTo("(model/layers/0 4 (attention 5, mlp -1))");
    }

    @Test
    void splitsNamesAtDotsOnlyWithoutSlash() {
        // then
        assertThat(drawn(layer("model.attention", 10, 15), layer("model.mlp", 4, 3)))
                .isEqualTo("(model 4 (attention 5, mlp -1))");
        assertThat(drawn(layer("model/v1.0", 10, 15), layer("other", 4, 3))).isEqualTo("(model/v1.0 5, other -1)");
    }

    @Test
    void timeOfLayerAddsToTimeOfItsParts() {
        // then
        assertThat(drawn(layer("model", 10, 12), layer("model/attention", 4, 5)))
                .isEqualTo("(model 3 (attention 1))");
    }

    @Test
    void deepPartsAreListedByJoinedNames() {
        // then
        assertThat(drawn(
                        layer("a/b/c/d/e/f", 10, 11),
                        layer("a/b/c/d/g", 10, 12),
                        layer("a/b/c/h", 10, 13),
                        layer("a/b/i", 10, 14),
                        layer("a/j", 10, 15),
                        layer("k", 10, 16)))
                .isEqualTo("(a 15 (b 10 (c 6 (h 3, d/g 2, d/e/f 1), i 4), j 5), k 6)");
    }

    @Test
    void reservesRoomForVanishedLayer() {
        // then
        assertThat(LayerTree.of(Arrays.asList(layer("a", 10, 0), layer("b", 0, 5)))
                        .room())
                .isEqualTo(15);
    }
}
