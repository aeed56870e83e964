package dev.neurontest.fake;

import static dev.neurontest.fake.HostFixture.DEVICES;
import static dev.neurontest.fake.HostFixture.read;
import static dev.neurontest.fake.HostFixture.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fake.FactsFixture.FactFile;
import dev.neurontest.fake.tree.layout.Attribute;
import dev.neurontest.fake.tree.layout.Layout;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a write does, and when a value moves, is what the facts say of that file in that layout. */
class WriteFactsTest {

    static Stream<Arguments> everyLayoutOnThreeFamilies() {
        return FactsFixture.everyLayoutName().stream()
                .flatMap(layout -> Stream.of("inf1.xlarge", "inf2.xlarge", "trn2.3xlarge")
                        .map(instance -> Arguments.of(layout, instance)));
    }

    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("everyLayoutOnThreeFamilies")
    void writeHasTheEffectOfTheFacts(String layout, String instance) throws IOException {
        Map<String, FactFile> files = FactsFixture.files(layout, instance);
        try (FakeNeuronHost host = FakeNeuronHost.builder()
                .instance(instance)
                .layout(layout)
                .resetDuration(Duration.ofDays(1))
                .clock(new ClockFixture("2026-11-21T09:00:00Z"))
                .start()) {
            // given: every counter has something to clear
            for (Map.Entry<String, FactFile> file : files.entrySet()) {
                moveFromZero(host, file.getKey(), file.getValue());
            }
            for (Map.Entry<String, FactFile> file : files.entrySet()) {
                assertEffect(host, file.getKey(), file.getValue().write());
                moveFromZero(host, file.getKey(), file.getValue());
            }
        }
    }

    private static void moveFromZero(FakeNeuronHost host, String path, FactFile file) throws IOException {
        if (file.write().startsWith("zero") && read(host, path).equals("0\n")) {
            host.fault(Fault.wrapped(DEVICES + path)).close();
        }
    }

    private static void assertEffect(FakeNeuronHost host, String path, String effect) throws IOException {
        String before = read(host, path);
        switch (effect) {
            case "zero this field" -> {
                String others = others(host, path);
                assertThat(before).as(path).isNotEqualTo("0\n");
                assertThat(write(host, path, "anything")).isEqualTo(8);
                assertThat(read(host, path)).as(path).isEqualTo("0\n");
                assertThat(others(host, path)).as(path).isEqualTo(others);
            }
            case "zero this counter in every datastore slot" -> {
                assertThat(before).as(path).isNotEqualTo("0\n");
                assertThat(write(host, path, "1")).isEqualTo(1);
                assertThat(read(host, path)).as(path).isEqualTo("0\n");
            }
            case "no effect", "accepted-ignored" -> {
                assertThat(write(host, path, "1\n")).isEqualTo(2);
                assertThat(read(host, path)).as(path).isEqualTo(before);
            }
            case "none" ->
                assertThatThrownBy(() -> write(host, path, "1")).as(path).isInstanceOf(AccessDeniedException.class);
            case "0 enables, -1 disables, anything else is accepted and ignored" -> {
                assertThat(write(host, path, "-1\n")).isEqualTo(3);
                assertThat(read(host, path)).isEqualTo("-1\n");
                assertThat(write(host, path, "abc")).isEqualTo(3);
                assertThat(read(host, path)).isEqualTo("-1\n");
                assertThat(write(host, path, "0\n")).isEqualTo(2);
                assertThat(read(host, path)).isEqualTo("0\n");
            }
            case "any content: request reset; ignored unless the device has no openers" -> {
                assertThat(write(host, path, "x")).isEqualTo(1);
                assertThat(read(host, path)).isEqualTo("0\n");
            }
            default -> throw new IllegalArgumentException("no check for the effect " + effect);
        }
    }

    /** What the other fields of the same counter show. */
    private static String others(FakeNeuronHost host, String path) throws IOException {
        String directory = path.substring(0, path.lastIndexOf('/') + 1);
        StringBuilder content = new StringBuilder();
        for (String field : List.of("total", "present", "peak")) {
            if (!path.equals(directory + field)
                    && host.tree().list(DEVICES + directory).contains(field)) {
                content.append(field).append(' ').append(read(host, directory + field));
            }
        }
        return content.toString();
    }

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
