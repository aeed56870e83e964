package dev.neurontest;

import static dev.neurontest.NeuronTestKit.onlyFailure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.Fault;
import dev.neurontest.internal.evidence.RunEvent;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Tests that share a device with another lease or process. */
class NeighbourTest {

    @TempDir
    private Path output;

    private NeuronTestKit kit() {
        return new NeuronTestKit(output).with("neuron.test.undecided", "pass");
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class OneAfterTheOtherFixture {
        @Test
        @Order(1)
        void takesACoreOfTheSession(@LeasedPer(LeaseScope.SESSION) @NeuronIndex(0) NeuronCore core) {}

        @Test
        @Order(2)
        void comesAndGoes(@NeuronIndex(1) NeuronCore core) {}

        @Test
        @Order(3)
        void isAlone(@LeasedPer(LeaseScope.SESSION) @NeuronIndex(0) NeuronCore core) {}
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class MemoryErrorFixture {
        @Test
        @Order(1)
        void takesACoreOfTheSession(@LeasedPer(LeaseScope.SESSION) @NeuronIndex(0) NeuronCore core) {}

        @Test
        @Order(2)
        void seesAMemoryErrorOfTheDevice(@NeuronIndex(1) NeuronCore core, FakeNeuronHost fake) {
            fake.device(0).fault(Fault.ecc("mem_uncorrected", 1));
        }
    }

    private List<String> recordings(NeuronTestKit kit) {
        return kit.events(RunEvent.Recorded.class).stream()
                .map(recorded -> String.valueOf(recorded.recording()))
                .toList();
    }

    @Test
    void isRecordedOnlyWhilePresent() {
        // given
        NeuronTestKit kit = kit();

        // when
        kit.run(OneAfterTheOtherFixture.class);

        // then
        assertThat(recordings(kit)).hasSize(3);
        assertThat(recordings(kit).get(1)).contains("all tests of a session (pid ");
        assertThat(recordings(kit).get(2)).isEqualTo("{}");
    }

    @Nested
    class OnDeviceError {

        @Test
        void isNamedInFailure() {
            assertThat(onlyFailure(kit().run(MemoryErrorFixture.class)))
                    .hasMessageContaining("may have caused the change: all tests of a session");
        }

        @Test
        void leavesErrorUndecidedWhenTolerated() {
            kit().with("neuron.test.attribution", "tolerant")
                    .run(MemoryErrorFixture.class)
                    .testEvents()
                    .assertStatistics(stats -> stats.succeeded(2));
        }
    }
}
