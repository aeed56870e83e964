package dev.neurontest.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.evidence.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostEnginesTest {

    private static final String WITHOUT_SLURM = "SLURM_JOB_NODELIST is -n, which is not a list of nodes";

    @TempDir
    private Path folder;

    private Path file;
    private Map<String, String> openMpi;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("hosts?a=b"), "n1 slots=2\nn2 slots=2\n");
        openMpi = Map.of("OMPI_MCA_orte_default_hostfile", file.toString());
    }

    private static HostEngine engine(String platform, Map<String, String> environment) {
        return HostEngines.of(
                Settings.of(name -> Optional.of(platform).filter(text -> name.equals("neuron.test.platform"))),
                environment);
    }

    @Test
    void numberedFakeMeansHostsOnThisMachine() {
        // when
        HostEngine engine = engine("fake:3xtrn1.32xlarge@driver-2.30", openMpi);

        // then
        assertThat(engine.name()).isEqualTo("this machine");
        assertThat(engine.hosts()).containsExactly("host0", "host1", "host2");
        assertThat(engine.source()).isEqualTo("neuron.test.platform=fake:3xtrn1.32xlarge@driver-2.30");
        assertThat(engine.command("host1", List.of("java", "a b"))).containsExactly("java", "a b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "real", "fake:trn1.2xlarge"})
    void hostFileOfSettingPrecedesAllocation(String platform) {
        // when
        HostEngine engine =
                engine(platform + "?hosts=" + file, Map.of("SLURM_JOB_ID", "1", "SLURM_JOB_NODELIST", "-n"));

        // then
        assertThat(engine.name()).isEqualTo("ssh");
        assertThat(engine.hosts()).containsExactly("n1", "n2");
        assertThat(engine.source()).isEqualTo(file.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "real", "fake:trn1.2xlarge"})
    void slurmJobPrecedesHostFileOfOpenMpi(String platform) {
        // given
        Map<String, String> both = Map.of(
                "SLURM_JOB_ID", "1",
                "SLURM_JOB_NODELIST", "-n",
                "OMPI_MCA_orte_default_hostfile", file.toString());

        // when, then
        assertThatExceptionOfType(HostEngineException.class)
                .isThrownBy(() -> engine(platform, both))
                .withMessage(WITHOUT_SLURM);
    }

    @ParameterizedTest
    @CsvSource({
        "auto, OMPI_MCA_orte_default_hostfile",
        "real, PRTE_MCA_prte_default_hostfile",
        "fake:trn1.2xlarge, OMPI_MCA_orte_default_hostfile"
    })
    void hostFileOfOpenMpiIsUsedWithoutSlurm(String platform, String variable) {
        // when
        HostEngine engine =
                engine(platform, Map.of(variable, file.toString(), "SLURM_JOB_ID", "1", "SLURM_JOB_NODELIST", " "));

        // then
        assertThat(engine.name()).isEqualTo("ssh");
        assertThat(engine.hosts()).containsExactly("n1", "n2");
        assertThat(engine.source()).isEqualTo(file + " (" + variable + ")");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "real", "fake:trn1.2xlarge"})
    void machineIsOnlyHostWithoutAllocation(String platform) {
        // when
        HostEngine engine = engine(platform, Map.of("OMPI_MCA_orte_default_hostfile", "none"));

        // then
        assertThat(engine.name()).isEqualTo("this machine");
        assertThat(engine.hosts()).containsExactly(Machine.name().orElseThrow());
        assertThat(engine.source())
                .isEqualTo("neuron.test.platform=" + platform + ", without a Slurm job or a host file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"root:/a", "replay:a.txt"})
    void directoryAndRecordingAreOneHostInAnyAllocation(String platform) {
        // when
        HostEngine engine = engine(platform, openMpi);

        // then
        assertThat(engine.hosts()).hasSize(1);
        assertThat(engine.source()).isEqualTo("neuron.test.platform=" + platform);
    }

    @Test
    void tooFewHostsAreExplainedWithTheirOriginAndAdvice() {
        assertThat(engine("auto?hosts=" + file, Map.of()).tooFew(4))
                .isEqualTo(
                        "the test needs 4 hosts, but ssh has 2 (" + file
                                + "); run it in a Slurm allocation, with a host file"
                                + " (neuron.test.platform=auto?hosts=FILE) or on fake hosts (neuron.test.platform=fake:4xtrn1.32xlarge)");
    }

    @Test
    void unreadableHostFileIsNamed() {
        assertThatExceptionOfType(HostEngineException.class)
                .isThrownBy(() -> engine("auto?hosts=/none/hosts", Map.of()))
                .withMessage("the host file /none/hosts cannot be read: there is no such file or folder");
    }
}
