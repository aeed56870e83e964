package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.internal.gate.Gate;
import dev.neurontest.internal.platform.Platform;
import dev.neurontest.patience.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the completions that the printed script offers in bash. */
class CompletionIT {

    private static final Path BASH = Path.of("/bin/bash");

    @TempDir
    private Path folder;

    @BeforeEach
    void assumeBash() {
        assumeThat(BASH).isExecutable();
    }

    private List<String> offered(String line) throws Exception {
        Path script = Files.writeString(
                folder.resolve("script"),
                CommandFixture.run("generate-completion").out() + """

                        compopt() { :; }
                        read -r -a COMP_WORDS <<< "$1"
                        case "$1" in *" ") COMP_WORDS+=("") ;; esac
                        COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
                        "$(complete -p neuron-test | sed 's/.*-F \\([^ ]*\\).*/\\1/')"
                        printf '%s\\n' "${COMPREPLY[@]}"
                        """);
        Path out = Files.createTempFile(folder, "offered", "");
        Path work = Files.createDirectories(folder.resolve("work"));
        Files.writeString(work.resolve("host.archive.txt"), "");
        Process bash = new ProcessBuilder(BASH.toString(), script.toString(), line)
                .directory(work.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            assertThat(bash.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            return Files.readString(out).lines().filter(each -> !each.isEmpty()).toList();
        } finally {
            bash.destroyForcibly();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'neuron-test do' | doctor",
                "'neuron-test baseline ' | approve diff show",
                "'neuron-test fake s' | serve",
                "'neuron-test run --det' | --details",
                "'neuron-test run --details ' | failures all",
                "'neuron-test --color n' | never",
                "'neuron-test doctor --platform r' | real root: replay:",
                "'neuron-test report --limit hard' | hardware.min=",
                "'neuron-test report --gate ho' | host.archive.txt",
                "'neuron-test report --gate --h' | --help --html --history",
                "'neuron-test run --scan-class-path --pl' | --platform",
                "'neuron-test run --gat' | --gate",
                "'neuron-test expl' | explain",
                "'neuron-test explain a b --duck' | --duckdb",
                "'neuron-test explain --duckdb ho' | host.archive.txt",
                "'neuron-test fake serve --view ' | directory fuse",
                "'neuron-test fake serve --layout driver-2.2' | driver-2.27 driver-2.28 driver-2.29",
                "'neuron-test fake exec --instance trn1.' | trn1.2xlarge trn1.32xlarge"
            })
    void offersWordsAndValues(String line, String words) throws Exception {
        assertThat(offered(line)).containsExactly(words.split(" "));
    }

    @Test
    void offersEveryFakeHost() throws Exception {
        assertThat(offered("neuron-test snapshot --platform "))
                .contains("auto", "real", "root:", "replay:")
                .containsAll(Platform.fakeInstanceTypes().stream()
                        .map(type -> "fake:" + type)
                        .toList())
                .hasSizeGreaterThan(10);
    }

    @Test
    void offersEveryGate() throws Exception {
        assertThat(offered("neuron-test run --limit "))
                .containsExactlyElementsOf(
                        Stream.of(Gate.values()).map(gate -> gate.key() + "=").toList());
    }
}
