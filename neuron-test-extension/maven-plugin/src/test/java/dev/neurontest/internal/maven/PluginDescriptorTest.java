package dev.neurontest.internal.maven;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.configuration.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests of the descriptor that the build generates from the goals. */
class PluginDescriptorTest {

    /** Verifies that no property of the plugin is reported as a misspelt setting. Maven passes properties to the JVMs of tests. */
    @Test
    void noPropertyResemblesASetting() throws IOException {
        // given
        String descriptor;
        try (InputStream text =
                Objects.requireNonNull(GateMojo.class.getResourceAsStream("/META-INF/maven/plugin.xml"))) {
            descriptor = new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }

        // when
        Map<String, String> properties = Pattern.compile("\\$\\{(neuron[^}]*)}")
                .matcher(descriptor)
                .results()
                .map(found -> found.group(1))
                .distinct()
                .collect(toMap(name -> name, name -> ""));

        // then
        assertThat(properties).containsKeys("neuron.gate.limits", "neuron.report.skip", "neuron.baseline.note");
        assertThat(Settings.of(properties, Map.of()).warnings()).isEmpty();
    }
}
