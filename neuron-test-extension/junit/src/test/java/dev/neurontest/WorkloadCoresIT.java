package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.workload.Workloads;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the cores on which the programs of a test or class start. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the programs are shell scripts")
class WorkloadCoresIT {

    private static final List<String> VISIBLE = new CopyOnWriteArrayList<>();

    @TempDir
    private Path output;

    @BeforeEach
    void forget() {
        VISIBLE.clear();
    }

    private NeuronTestKit kit() {
        return new NeuronTestKit(output).on("fake:trn1.32xlarge");
    }

    private void passes(Class<?> fixture) {
        assertThat(NeuronTestKit.failures(kit().run(fixture))).isEmpty();
    }

    private static void start(String label, Workloads workloads, NeuronCore... cores) {
        var program = workloads.command("sh", "-c", "echo $NEURON_RT_VISIBLE_CORES");
        if (cores.length > 0) {
            program.on(cores);
        }
        VISIBLE.add(label + " " + program.run().stdout().strip());
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class BesideAServerFixture {

        private static Workloads ofClass;
        private static List<NeuronCore> servers;

        @BeforeAll
        static void server(@Count(2) List<NeuronCore> cores, Workloads workloads) {
            ofClass = workloads;
            servers = cores;
            start("class", workloads);
        }

        @Test
        @Order(1)
        void ownCores(@Count(2) List<NeuronCore> cores, Workloads workloads) {
            start("own", workloads);
        }

        @Test
        @Order(2)
        void noCores(Workloads workloads) {
            start("none", workloads);
        }

        @Test
        @Order(3)
        void chosenCores(@Count(2) List<NeuronCore> cores, Workloads workloads) {
            start("chosen", workloads, servers.get(1));
        }

        @Test
        @Order(4)
        void programOfTheClass(@Count(2) List<NeuronCore> cores) {
            start("of class", ofClass);
        }

        @Test
        @Order(5)
        void namedCoreOfTheClass(@NeuronIndex(1) NeuronCore core, Workloads workloads) {
            start("named", workloads);
        }
    }

    @Test
    void areThoseOfTestDespiteServerOfClass() {
        passes(BesideAServerFixture.class);
        assertThat(VISIBLE).containsExactly("class 0-1", "own 2-3", "none 0-1", "chosen 1", "of class 0-1", "named 1");
    }

    @NeuronTest
    static class PreparedFixture {

        private final Workloads ofInstance;

        PreparedFixture(Workloads ofInstance) {
            this.ofInstance = ofInstance;
        }

        @BeforeAll
        static void server(@Count(2) List<NeuronCore> cores) {}

        @BeforeEach
        void prepare(Workloads workloads) {
            start("before", workloads);
        }

        @Test
        void test(@Count(2) List<NeuronCore> cores) {
            start("field", ofInstance);
        }
    }

    @Test
    void areThoseOfTestInConstructorAndBeforeEach() {
        passes(PreparedFixture.class);
        assertThat(VISIBLE).containsExactly("before 2-3", "field 2-3");
    }

    @NeuronTest
    static class SeveralFixture {

        @BeforeAll
        static void server(NeuronCore core) {}

        @Test
        void test(@Count(4) List<NeuronCore> group, @Count(2) List<NeuronCore> pair, Workloads workloads) {
            start("all", workloads);
            start("pair", workloads, pair.toArray(NeuronCore[]::new));
        }
    }

    @Test
    void areThoseOfAllParametersOfTheTest() {
        passes(SeveralFixture.class);
        assertThat(VISIBLE).containsExactly("all 2-7", "pair 2-3");
    }

    @NeuronTest
    static class OuterFixture {

        @BeforeAll
        static void server(@Count(2) List<NeuronCore> cores) {}

        @Nested
        class InnerFixture {

            @BeforeAll
            static void server(@Count(2) List<NeuronCore> cores, Workloads workloads) {
                start("inner class", workloads);
            }

            @Test
            void test(Workloads workloads) {
                start("test", workloads);
            }
        }

        @Nested
        class WithoutCoresFixture {

            @BeforeAll
            static void prepare(Workloads workloads) {
                start("inner class without cores", workloads);
            }

            @Test
            void test(@Count(2) List<NeuronCore> cores, Workloads workloads) {
                start("own", workloads);
            }
        }
    }

    @Test
    void areThoseOfTheNearestClassWithCores() {
        passes(OuterFixture.class);
        assertThat(VISIBLE)
                .containsExactlyInAnyOrder("inner class 2-3", "test 2-3", "inner class without cores 0-1", "own 2-3");
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class SharedFixture {

        @BeforeAll
        static void server(@Count(2) List<NeuronCore> cores, Workloads workloads) {}

        @Test
        @Order(1)
        void ofTheClass(@LeasedPer(LeaseScope.CLASS) @Count(4) List<NeuronCore> cores, Workloads workloads) {
            start("shared by the class", workloads);
        }

        @Test
        @Order(2)
        void ofTheSession(@LeasedPer(LeaseScope.SESSION) @Count(2) List<NeuronCore> cores, Workloads workloads) {
            start("shared by the session", workloads);
        }

        @Test
        @Order(3)
        void ofTheClassAndOwn(
                @LeasedPer(LeaseScope.CLASS) @Count(4) List<NeuronCore> cores, NeuronCore own, Workloads workloads) {
            start("own", workloads);
        }
    }

    @Test
    void areSharedOnesUnlessTestHasOwnCores() {
        passes(SharedFixture.class);
        assertThat(VISIBLE).containsExactly("shared by the class 0-3", "shared by the session 6-7", "own 8");
    }

    @NeuronTest
    static class BlamesTheHardwareFixture {

        @BeforeAll
        static void server(@Count(2) List<NeuronCore> cores) {}

        @Test
        void test(@Count(2) List<NeuronCore> cores, Workloads workloads) {
            workloads
                    .command("sh", "-c", "echo NRT_EXEC_UNIT_UNRECOVERABLE; exit 1")
                    .ignoringExit()
                    .run();
        }
    }

    @Test
    void areQuarantinedButNotThoseOfClass() {
        NeuronTestKit kit = kit();

        kit.run(BlamesTheHardwareFixture.class);

        assertThat(kit.events(RunEvent.Quarantined.class))
                .flatExtracting(RunEvent.Quarantined::cores)
                .containsExactly("neuron1/neuron_core0", "neuron1/neuron_core1");
    }
}
