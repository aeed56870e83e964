package dev.neurontest.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.internal.control.CommandSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that failed requests of the runtime library have a reason without Java names, because C programs log it. */
class RuntimeRequestsTest {

    private static final String JAVA = "java\\.|[A-Z][A-Za-z]*(Exception|Error)\\b";

    @AutoClose
    private final FakeNeuronHost host =
            FakeNeuronHost.builder().instance("trn1.2xlarge").start();

    @AutoClose
    private final CommandSession session = host.openSession();

    private Path exchange;

    @BeforeEach
    void loadModel() throws IOException {
        exchange = host.directory().resolve(".runtime");
        FakeNeff.builder().name("acc").output("y", "float32", 4).write(exchange.resolve("to-host-1-1"));
        assertThat(session.answer("init P all")).startsWith("ok ");
        assertThat(session.answer("nrt open P")).startsWith("ok ");
        assertThat(session.answer("nrt load P 0 1 1 to-host-1-1")).startsWith("ok 0 ");
    }

    private void assertRefused(String request, String reason) {
        assertThat(session.answer(request)).contains(reason).doesNotContainPattern(JAVA);
    }

    static Stream<Function<Map<String, byte[]>, byte[]>> failingFunctions() {
        return Stream.of(
                inputs -> {
                    throw new UnsupportedOperationException();
                },
                inputs -> {
                    throw new IllegalStateException(" ");
                },
                inputs -> {
                    throw new AssertionError();
                },
                inputs -> {
                    throw new StackOverflowError();
                });
    }

    @ParameterizedTest
    @MethodSource("failingFunctions")
    void failedFunctionOfScriptIsAnswered(Function<Map<String, byte[]>, byte[]> function) throws IOException {
        // given
        host.runtime().neff("acc").output("y", function);
        String execution = session.answer("nrt begin P 1").split(" ")[1];
        Files.createFile(exchange.resolve("to-host-1-2"));

        // then
        assertRefused(
                "nrt compute P " + execution + " to-host-1-2",
                "error output y of acc cannot be written: the function of the script failed: no reason is known");
    }

    @Test
    void functionThatReturnsNullIsAnswered() throws IOException {
        // given
        host.runtime().neff("acc").output("y", inputs -> null);
        String execution = session.answer("nrt begin P 1").split(" ")[1];
        Files.createFile(exchange.resolve("to-host-1-2"));

        // then
        assertRefused("nrt compute P " + execution + " to-host-1-2", "the function of the script returned null");
    }

    @Test
    void missingFileIsAnsweredInWords() {
        assertRefused("nrt load P 0 1 1 to-host-1-9", "to-host-1-9: there is no such file");
    }

    @Test
    void unwritableFileIsAnsweredInWords() throws IOException {
        // given
        host.runtime().neff("acc").output("y", "ones");
        Files.delete(exchange);

        // then
        assertRefused("nrt begin P 1", "error ");
        assertRefused("nrt begin P 1", ".runtime/from-host-2: there is no such file");
    }
}
