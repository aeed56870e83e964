package dev.neurontest.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FactsFixture.FactFile;
import dev.neurontest.fake.tree.layout.Attribute;
import dev.neurontest.fake.tree.layout.Layout;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a write does, and when a value moves, is what the facts say of that file in that layout. */
class WriteFactsTest {

    @ParameterizedTest(name = "{0}")
    @MethodSource("dev.neurontest.fake.FactsFixture#layoutNames")
    void valuesMoveWhenTheFactsSay(String name) {
        Layout layout = Layout.named(name);
        Map<String, FactFile> files = FactsFixture.files(name, "trn2.3xlarge");
        for (Attribute attribute : layout.attributes()) {
            String path = "neuron0/" + (attribute.ofCore() ? "neuron_core0/" : "") + attribute.path()
                    + (attribute.kind() == Attribute.Kind.PLAIN ? "" : "/total");
            assertThat(files).containsKey(path);
            assertThat(files.get(path).update()).as(path).isEqualTo(update(attribute, layout));
        }
    }

    private static String update(Attribute attribute, Layout layout) {
        return switch (attribute.update()) {
            case STATIC -> "static";
            case LIVE -> "live";
            case GLOBAL_FLAG -> "global-flag";
            case REGISTER -> "live-register";
            case CACHED -> "cached";
            case EACH_MINUTE -> "once per wall-clock minute";
            case DATASTORE -> layout.rules(1).liveDatastore() ? "live-datastore" : "on-datastore-release";
        };
    }
}
