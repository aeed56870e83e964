package dev.neurontest.internal.profile.explain;

import static dev.neurontest.profile.EventsFixture.events;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.profile.ProfileEvents;
import org.junit.jupiter.api.Test;

class ExplanationPageTest {

    private static String page(ProfileEvents before, ProfileEvents after) {
        return Explanation.of(before, after).toHtml("before and now");
    }

    private static String page() {
        return page(
                events().execution(100)
                        .layer("m/attention", 50, 5)
                        .layer("m/mlp", 30, 3)
                        .layer("m/norm", 20, 1)
                        .made(),
                events().execution(110)
                        .layer("m/attention", 65, 5)
                        .layer("m/mlp", 25, 3)
                        .layer("m/norm", 20, 1)
                        .made());
    }

    @Test
    void beginsWithTheAnswer() {
        // then
        assertThat(page())
                .contains("<h1><span class=\"verdict failed\">slower</span> Slower by 10 \u00b5s")
                .contains("<p class=\"mute\">before and now</p>");
    }

    @Test
    void marksGrowthAndShrinkageBySymbolAndColour() {
        // then
        assertThat(page())
                .contains("<rect class=\"grew of-4 tall\"")
                .contains("\u25b2 attention +15 \u00b5s")
                .contains("<rect class=\"shrank of-4 tall\"")
                .contains("\u25bc mlp -5 \u00b5s")
                .contains("<rect class=\"same tall\"")
                .contains("m/norm: 20 \u00b5s before, 20 \u00b5s now");
    }

    @Test
    void layerLinksToItsTableRow() {
        // then
        assertThat(page()).contains("<a href=\"#layer-0\">").contains("<tr id=\"layer-0\">");
    }

    @Test
    void escapesNames() {
        // then
        assertThat(page(
                        events().execution(1).layer("a", 1, 1).made(),
                        events().execution(2)
                                .layer("<script>alert(1)</script>", 2, 1)
                                .about("tool", "<b>")
                                .made()))
                .doesNotContain("<script>")
                .contains("&lt;");
    }

    @Test
    void omitsDrawingWithoutLayers() {
        // then
        assertThat(page(
                        events().engine("E", 1, 1).made(),
                        events().engine("E", 2, 1).made()))
                .doesNotContain("icicle\"")
                .contains("By engine");
    }
}
