package dev.neurontest.internal.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.internal.judgement.MeasuredTest;
import dev.neurontest.internal.print.PrintAttachments;
import dev.neurontest.internal.profile.report.ProfilePicture;
import dev.neurontest.internal.report.RunFixture;
import dev.neurontest.internal.report.compare.CompareFixture;
import dev.neurontest.internal.report.history.HistoryFixture;
import dev.neurontest.print.PrintFixture;
import dev.neurontest.profile.Latency;
import dev.neurontest.profile.MeasuredFixture;
import dev.neurontest.profile.MetricExpectation;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileExpectations;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Tests of all pages by axe, a checker of accessibility, which {@code .ci/run} installs if there is npm. */
class PageAccessibilityIT {

    private static final Path AXE = Path.of("target/axe/node_modules/axe-core/axe.min.js");

    @TempDir
    private static Path folder;

    private static ChromiumFixture browser;

    @BeforeAll
    static void start() throws Exception {
        assumeThat(AXE)
                .as("npm install --prefix neuron-test-extension/command/target/axe axe-core has put it there")
                .isRegularFile();
        browser = ChromiumFixture.start(folder);
        ReportPage.write(
                new RunFixture().in(folder).night().report(),
                RunFixture.gates(),
                Optional.of(CompareFixture.everything(folder)),
                Optional.of(HistoryFixture.history()),
                folder.resolve("night.html"));
        ReportPage.write(new RunFixture().in(folder).alike(30).report(), List.of(), folder.resolve("alike.html"));
        ReportPage.write(new RunFixture().in(folder).many(3000).report(), List.of(), folder.resolve("many.html"));
        Files.writeString(folder.resolve("profile.html"), profile());
        Files.write(folder.resolve("prints.html"), prints());
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    private static String profile() {
        Profile profile = MeasuredFixture.nothing()
                .title("llama.neff")
                .and("total_time", 0.01)
                .and("tensor_engine_active_time_percent", 0.4)
                .profile();
        ProfileExpectations expectations = ProfileExpectations.builder()
                .expect(MetricExpectation.latency(Latency.TOTAL, "9 ms", "median"))
                .build();
        return ProfilePicture.html(
                new MeasuredTest(
                        "LlamaTest > tokens()", List.of("neuron0/neuron_core1"), expectations.judge(profile), false),
                profile,
                expectations.outcomes(profile),
                List.of());
    }

    private static byte[] prints() {
        return PrintAttachments.of(
                        new PrintFixture().floats("acc", 1).floats("acc", 2).live())
                .all(PrintFixture.PASSED)
                .get(0)
                .content();
    }

    @ParameterizedTest
    @CsvSource({
        "night, 390, light",
        "night, 1200, light",
        "night, 390, dark",
        "night, 1200, dark",
        "alike, 390, dark",
        "alike, 1200, light",
        "many, 390, light",
        "many, 1200, dark",
        "profile, 390, light",
        "profile, 1200, dark",
        "prints, 390, light",
        "prints, 1200, dark"
    })
    void pageHasNoViolation(String page, int width, String scheme) throws Exception {
        // given
        browser.screen(width, 900, scheme).open(folder.resolve(page + ".html"));
        browser.evaluate(Files.readString(AXE) + "; null");

        // when
        JsonNode violations = browser.evaluate(
                "axe.run().then(result => result.violations.map("
                        + "each => each.id + ': ' + each.nodes.slice(0, 3).map(node => node.html + ' ' + node.failureSummary).join(' | ')))");

        // then
        assertThat(StreamSupport.stream(violations.spliterator(), false).map(JsonNode::asString))
                .isEmpty();
    }
}
