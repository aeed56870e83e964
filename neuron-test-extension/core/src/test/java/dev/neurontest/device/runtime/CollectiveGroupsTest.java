package dev.neurontest.device.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.HostFixture.Kind;
import dev.neurontest.device.LogicalCoreSize;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.RuntimeStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CollectiveGroupsTest {

    private static final String PRODUCT = "sys/devices/virtual/dmi/id/product_name";

    @TempDir
    Path root;

    private HostFixture fixture(Kind kind, int devices) {
        return new HostFixture(root).devices(kind, IntStream.range(0, devices).toArray());
    }

    private CollectiveGroups groups(Kind kind, int devices) {
        return CollectiveGroups.of(fixture(kind, devices).host());
    }

    @Nested
    class Sizes {

        @Test
        void areThoseOfTheFamily() {
            assertThat(groups(Kind.TRN2, 16).sizes()).containsExactly(1, 2, 4, 8, 16, 32, 64);
        }

        @Test
        void areNoMoreThanTheHostHas() {
            assertThat(groups(Kind.INF2, 6).sizes()).containsExactly(1, 2, 4, 8);
        }

        @Test
        void areUndocumentedForInf1() {
            assertThat(groups(Kind.INF1, 4).sizes()).isEmpty();
        }

        @Test
        void areUndocumentedForTrn3() {
            assertThat(groups(Kind.TRN3, 4).sizes()).isEmpty();
        }

        @Test
        void areUndocumentedForUnpairedCoresOfTrn2() {
            NeuronHost host = NeuronHost.discover(fixture(Kind.TRN2, 2).host().tree(), LogicalCoreSize.ONE);

            assertThat(CollectiveGroups.of(host).sizes()).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"trn2p.48xlarge", "trn2eu.48xlarge", "trn2u-ac.24xlarge"})
        void areUndocumentedForOtherMachinesOfTrn2(String type) {
            NeuronHost host = fixture(Kind.TRN2, 2).file(PRODUCT, type + "\n").host();

            assertThat(CollectiveGroups.of(host).sizes()).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"trn2.48xlarge", "trn2u.48xlarge", "trn2.3xlarge"})
        void areDocumentedForTheseMachinesOfTrn2(String type) {
            NeuronHost host = fixture(Kind.TRN2, 2).file(PRODUCT, type + "\n").host();

            assertThat(CollectiveGroups.of(host).sizes()).containsExactly(1, 2, 4, 8);
        }
    }

    @Nested
    class Refusal {

        @Test
        void namesFamilySizeAndAlternatives() {
            assertThat(groups(Kind.TRN2, 2).refusal(6))
                    .contains(
                            "collectives of Trn2 run on 1, 2, 4 or 8 cores here, not on 6. Ask for one of these numbers,"
                                    + " or leave out collectives = true if the program uses no collectives.");
        }

        @Test
        void isNoneForDocumentedSizes() {
            assertThat(groups(Kind.TRN1, 4).refusal(8)).isEmpty();
        }

        @Test
        void isNoneForGroupsOfFourOnTrn1() {
            assertThat(groups(Kind.TRN1, 4).refusal(4)).isEmpty();
        }

        @Test
        void isNoneWhereNothingIsDocumented() {
            assertThat(groups(Kind.TRN3, 4).refusal(6)).isEmpty();
        }

        @Test
        void leavesTheSizeOfTheHostToOthers() {
            assertThat(groups(Kind.TRN2, 2).refusal(64)).isEmpty();
        }
    }

    @Nested
    class Remark {

        private final RuntimeStatus invalid = RuntimeStatus.of(2);

        private Optional<String> remark(Kind kind, int from, int to, RuntimeStatus status, String output) {
            return CollectiveGroups.remark(
                    fixture(kind, 16).host().cores().subList(from, to), List.of(status), List.of(output));
        }

        @Test
        void namesTheSizesOfTheFamily() {
            assertThat(remark(Kind.TRN2, 0, 6, invalid, ""))
                    .contains(
                            "Collectives of Trn2 run on 1, 2, 4, 8, 16, 32 or 64 cores, and this program had 6 (cores 0-5)."
                                    + " If it uses collectives, take one of these numbers by @Count(value = 4, collectives = true).");
        }

        @Test
        void namesTheStartOnTrn2() {
            assertThat(remark(Kind.TRN2, 4, 12, invalid, ""))
                    .contains(
                            "Collectives of Trn2 start at a multiple of the size of their group, and this program had"
                                    + " cores 4-11. If it uses collectives, take its cores by @Count(value = 8, collectives = true).");
        }

        @Test
        void isNoneForAnAlignedGroup() {
            assertThat(remark(Kind.TRN2, 8, 16, invalid, "")).isEmpty();
            assertThat(remark(Kind.TRN2, 56, 64, invalid, "")).isEmpty();
        }

        @Test
        void isNoneForTheStartOfOtherFamilies() {
            assertThat(remark(Kind.TRN1, 4, 12, invalid, "")).isEmpty();
            assertThat(remark(Kind.INF2, 4, 12, invalid, "")).isEmpty();
        }

        @Test
        void namesTheRuntimeThatAGroupOfFourTakesOnTrn1() {
            assertThat(remark(Kind.TRN1, 4, 8, invalid, ""))
                    .contains("A group of 4 cores for collectives on Trn1 takes runtime 2.23.110 or later.");
        }

        @Test
        void followsAnAccessOutOfBounds() {
            assertThat(remark(Kind.INF2, 0, 6, RuntimeStatus.of(1006), "")).isPresent();
        }

        @Test
        void followsTheLineOfTheRuntime() {
            assertThat(
                            remark(
                                    Kind.TRN1,
                                    0,
                                    6,
                                    RuntimeStatus.of(1),
                                    "NRT:nrt_load_collectives  Unsupported topology. Supported number of Neuron Cores is 1, 2, 8"))
                    .isPresent();
        }

        @Test
        void isNoneForOtherFailures() {
            assertThat(remark(Kind.TRN2, 0, 6, RuntimeStatus.of(1202), "no such file"))
                    .isEmpty();
        }

        @Test
        void isNoneForAProgramWithoutCores() {
            assertThat(remark(Kind.TRN2, 0, 0, invalid, "")).isEmpty();
        }

        @Test
        void isNoneWhereNothingIsDocumented() {
            assertThat(remark(Kind.TRN3, 0, 6, invalid, "")).isEmpty();
        }
    }
}
