package dev.neurontest.internal.device.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.HostFixture.Kind;
import dev.neurontest.device.LogicalCoreSize;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.status.RuntimeLines;
import dev.neurontest.runtime.RuntimeStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

        @ParameterizedTest
        @CsvSource({"TRN2, 16, '1 2 4 8 16 32 64'", "INF2, 6, 1 2 4 8", "INF1, 4, ''", "TRN3, 4, ''"})
        void areThoseOfFamilyUpToHostSize(Kind kind, int devices, String sizes) {
            assertThat(groups(kind, devices).sizes())
                    .isEqualTo(Stream.of(sizes.split(" "))
                            .filter(size -> !size.isEmpty())
                            .map(Integer::valueOf)
                            .toList());
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
        void areDocumentedForTrn2AndTrn2uMachines(String type) {
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
                            "collectives of Trn2 run on 1, 2, 4 or 8 cores here, not on 6. Request one of these numbers,"
                                    + " or leave out collectives = true if the program uses no collectives.");
        }

        @ParameterizedTest
        @CsvSource({"TRN1, 4, 8", "TRN1, 4, 4", "TRN3, 4, 6", "TRN2, 2, 64"})
        void isEmptyForDocumentedUnknownOrTooLargeSizes(Kind kind, int devices, int size) {
            assertThat(groups(kind, devices).refusal(size)).isEmpty();
        }
    }

    @Nested
    class Remark {

        private final RuntimeStatus invalid = RuntimeStatus.of(2);

        private Optional<String> remark(Kind kind, int from, int to, RuntimeStatus status) {
            return CollectiveGroups.remark(fixture(kind, 16).host().cores().subList(from, to), List.of(status));
        }

        @Test
        void namesTheSizesOfTheFamily() {
            assertThat(remark(Kind.TRN2, 0, 6, invalid))
                    .contains(
                            "Collectives of Trn2 run on 1, 2, 4, 8, 16, 32 or 64 cores, and this program had 6 (cores 0-5)."
                                    + " If it uses collectives, request one of these numbers with @Count(value = 4, collectives = true).");
        }

        @Test
        void namesAlignmentOnTrn2() {
            assertThat(remark(Kind.TRN2, 4, 12, invalid))
                    .contains(
                            "Collectives of Trn2 start at a multiple of the size of their group, and this program had"
                                    + " cores 4-11. If it uses collectives, request its cores with @Count(value = 8, collectives = true).");
        }

        @ParameterizedTest
        @CsvSource({
            "TRN2, 8, 16, 2",
            "TRN2, 56, 64, 2",
            "TRN1, 4, 12, 2",
            "INF2, 4, 12, 2",
            "TRN2, 0, 6, 1202",
            "TRN2, 0, 0, 2",
            "TRN3, 0, 6, 2"
        })
        void isEmptyForAlignedGroupsOtherFamiliesAndFailures(Kind kind, int from, int to, int status) {
            assertThat(remark(kind, from, to, RuntimeStatus.of(status))).isEmpty();
        }

        @Test
        void namesRuntimeRequiredForFourCoresOnTrn1() {
            assertThat(remark(Kind.TRN1, 4, 8, invalid))
                    .contains("A group of 4 cores for collectives on Trn1 requires runtime 2.23.110 or later.");
        }

        @Test
        void isGivenForOutOfBoundsAccess() {
            assertThat(remark(Kind.INF2, 0, 6, RuntimeStatus.of(1006))).isPresent();
        }

        @Test
        void isGivenForTopologyLineOfRuntime() {
            // given
            RuntimeStatus reported = RuntimeLines.in(
                            "NRT:nrt_load_collectives  Unsupported topology. Supported number of Neuron Cores is 1, 2, 8")
                    .statuses()
                    .get(0);

            // then
            assertThat(remark(Kind.TRN1, 0, 6, reported)).isPresent();
        }
    }
}
