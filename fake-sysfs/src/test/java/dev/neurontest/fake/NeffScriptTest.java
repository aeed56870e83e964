package dev.neurontest.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.neurontest.fake.internal.control.CommandSession;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of scripts that no execution could follow: they are refused when they are written. */
class NeffScriptTest {

    @AutoClose
    private final FakeNeuronHost host = FakeNeuronHost.builder().start();

    private final NeffScript script = host.runtime().neff("k");

    @AfterEach
    void hostHasNoScript() {
        assertThat(host.runtime().scripts()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "", "twos@1=2", "Ones", "ones "})
    void refusesUnknownFillAndListsTheKnown(String fill) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> script.output("y", fill))
                .withMessageStartingWith(
                        "no fill \"" + fill.replaceFirst("@.*", "") + "\"; there are: zeros, ones, arange,")
                .withMessageEndingWith("and for an output copy:INPUT, unwritten or first:BYTES:FILL");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ones@", "ones@1", "ones@x=1", "arange@-1=1", "fill:x", "fill:", "hex:0", "hex:0g", "copy:"})
    void refusesInvalidFill(String fill) {
        assertThatIllegalArgumentException().isThrownBy(() -> script.output("y", fill));
    }

    @Test
    void refusesOutputWithoutName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> script.output("", new byte[1]))
                .withMessage("the name of an output must not be empty");
    }

    @Test
    void resetFreesTheMemoryOfPrints() {
        String print = "neff k print=\"p uint8 15728640 zeros\"";
        try (CommandSession session = host.openSession()) {
            for (int i = 0; i < 4; i++) {
                assertThat(session.answer(print)).isEqualTo("ok");
            }
            assertThat(session.answer(print)).contains("all scripted prints together take at most 67108864 bytes");

            session.answer("neff k reset");

            assertThat(session.answer(print)).isEqualTo("ok");
            session.answer("neff k reset");
        }
    }

    @Test
    void refusesDurationBeyondTheClock() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> script.latency(Duration.ofDays(200_000)))
                .withMessage("an execution cannot take PT4800000H");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FakeNeff.builder().time(Duration.ofDays(200)))
                .withMessage("an execution cannot take PT4800H");
    }
}
