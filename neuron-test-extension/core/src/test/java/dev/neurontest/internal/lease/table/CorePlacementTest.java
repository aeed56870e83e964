package dev.neurontest.internal.lease.table;

import static dev.neurontest.device.HostFixture.Kind.INF1;
import static dev.neurontest.device.HostFixture.Kind.INF2;
import static dev.neurontest.device.HostFixture.Kind.TRN1;
import static dev.neurontest.device.HostFixture.Kind.TRN2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.ImpossibleRequestException;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.UnreadableTopologyException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CorePlacementTest {

    @TempDir
    static Path shared;

    @TempDir
    Path root;

    private static NeuronHost trn1;

    @BeforeAll
    static void sixteenDevicesOfTwoCores() {
        trn1 = new HostFixture(shared)
                .devices(TRN1, IntStream.range(0, 16).toArray())
                .torus()
                .host();
    }

    /** Returns the indices for each request, or empty if the requests do not fit. */
    private static Optional<List<List<Integer>>> fit(NeuronHost host, BitSet free, CoreRequest... requests) {
        return CorePlacement.of(host, new LeaseRequest("a test", Arrays.asList(requests)))
                .fit(free)
                .map(granted -> granted.stream()
                        .map(cores -> cores.stream().map(NeuronCore::index).toList())
                        .toList());
    }

    private static List<List<Integer>> onEmpty(NeuronHost host, CoreRequest... requests) {
        return fit(host, all(host), requests).orElseThrow();
    }

    @Test
    void refusesHostWithRenamedDeviceNode() {
        // given a container with one node, which was renamed
        NeuronHost host = new HostFixture(root)
                .devices(TRN1, 0, 1)
                .sysfs("neuron0/dev", "243:0\n")
                .sysfs("neuron1/dev", "243:1\n")
                .node("dev/neuron0", 243, 1)
                .host();

        // then
        assertThatExceptionOfType(ImpossibleRequestException.class)
                .isThrownBy(() -> onEmpty(host, CoreRequest.any()))
                .withMessageContaining("/dev/neuron0 is neuron1 of sysfs (243:1)")
                .withMessageContaining("Mount the nodes in the container under their names on the host");
    }

    private static BitSet all(NeuronHost host) {
        BitSet free = new BitSet();
        free.set(0, host.cores().size());
        return free;
    }

    private static BitSet only(int... cores) {
        BitSet free = new BitSet();
        Arrays.stream(cores).forEach(free::set);
        return free;
    }

    private static BitSet without(NeuronHost host, int... cores) {
        BitSet free = all(host);
        Arrays.stream(cores).forEach(free::clear);
        return free;
    }

    private NeuronHost other(HostFixture.Kind kind, int... devices) {
        return new HostFixture(root).devices(kind, devices).host();
    }

    @Nested
    class Requests {

        @Test
        void anyGetsLowestFreeCore() {
            // then
            assertThat(onEmpty(trn1, CoreRequest.any())).containsExactly(List.of(0));
            assertThat(fit(trn1, only(5, 9), CoreRequest.any())).contains(List.of(List.of(5)));
        }

        @Test
        void inARowGetsFirstLongEnoughRun() {
            // then
            assertThat(onEmpty(trn1, CoreRequest.inARow(4))).containsExactly(List.of(0, 1, 2, 3));
            assertThat(fit(trn1, only(0, 1, 3, 4, 5, 9), CoreRequest.inARow(3))).contains(List.of(List.of(3, 4, 5)));
        }

        @Test
        void inARowPrefersStartAtMultipleOfLength() {
            // then
            assertThat(fit(trn1, without(trn1, 0), CoreRequest.inARow(8)))
                    .contains(List.of(List.of(8, 9, 10, 11, 12, 13, 14, 15)));
            assertThat(fit(trn1, without(trn1, 0, 1, 9), CoreRequest.inARow(4))).contains(List.of(List.of(4, 5, 6, 7)));
            assertThat(fit(trn1, only(1, 2, 3, 4, 9, 10, 11, 12), CoreRequest.inARow(4)))
                    .contains(List.of(List.of(1, 2, 3, 4)));
        }

        @Test
        void inARowPrefersOneDeviceOverPartsOfTwo() {
            // given four logical cores a device
            NeuronHost trn2 = other(TRN2, 0, 1, 2);

            // then
            assertThat(fit(trn1, without(trn1, 0, 4), CoreRequest.inARow(2))).contains(List.of(List.of(2, 3)));
            assertThat(fit(trn2, without(trn2, 0), CoreRequest.inARow(4))).contains(List.of(List.of(4, 5, 6, 7)));
            assertThat(fit(trn2, without(trn2, 0, 1, 9), CoreRequest.inARow(3))).contains(List.of(List.of(4, 5, 6)));
            assertThat(fit(trn2, only(2, 3, 4, 5), CoreRequest.inARow(4))).contains(List.of(List.of(2, 3, 4, 5)));
        }

        @Test
        void inARowUsesAsFewDevicesAsPossible() {
            // then three devices and not four
            assertThat(fit(trn1, only(1, 2, 3, 4, 5, 6, 7), CoreRequest.inARow(6)))
                    .contains(List.of(List.of(2, 3, 4, 5, 6, 7)));
        }

        @Test
        void onConnectedDevicesPrefersStartAtMultipleOfLength() {
            // then
            assertThat(fit(trn1, without(trn1, 0), CoreRequest.onConnectedDevices(4)))
                    .contains(List.of(List.of(4, 5, 6, 7)));
        }

        @Test
        void onOneDevicePrefersStartAtMultipleOfLength() {
            // given
            NeuronHost trn2 = other(TRN2, 0, 1);

            // then
            assertThat(fit(trn2, without(trn2, 0), CoreRequest.onOneDevice(2))).contains(List.of(List.of(2, 3)));
            assertThat(fit(trn2, only(1, 2), CoreRequest.onOneDevice(2))).contains(List.of(List.of(1, 2)));
        }

        @Test
        void forCollectivesStartsAtAMultipleOfItsLengthOnly() {
            // given four logical cores a device
            NeuronHost trn2 = other(TRN2, 0, 1, 2, 3);
            CoreRequest eight = CoreRequest.forCollectives(CoreRequest.inARow(8));

            // then
            assertThat(fit(trn2, without(trn2, 0), eight)).contains(List.of(List.of(8, 9, 10, 11, 12, 13, 14, 15)));
            assertThat(fit(trn2, without(trn2, 0, 15), eight)).isEmpty();
            assertThat(fit(trn2, only(1, 2, 6, 7), CoreRequest.forCollectives(CoreRequest.onOneDevice(2))))
                    .contains(List.of(List.of(6, 7)));
        }

        @Test
        void inARowNeedsUnbrokenRun() {
            // then
            assertThat(fit(trn1, only(0, 1, 3, 4, 6, 7), CoreRequest.inARow(3))).isEmpty();
        }

        @Test
        void inARowCanBeTheWholeHost() {
            // then
            assertThat(onEmpty(trn1, CoreRequest.inARow(32)).get(0)).hasSize(32);
        }

        @Test
        void exactlyKeepsItsOrder() {
            // then
            assertThat(onEmpty(trn1, CoreRequest.exactly(7, 2))).containsExactly(List.of(7, 2));
            assertThat(fit(trn1, without(trn1, 2), CoreRequest.exactly(7, 2))).isEmpty();
        }

        @Test
        void onOneDeviceDoesNotSpanTwoDevices() {
            // given four logical cores a device
            NeuronHost trn2 = other(TRN2, 0, 1);

            // then
            assertThat(fit(trn2, without(trn2, 0, 1), CoreRequest.onOneDevice(3)))
                    .contains(List.of(List.of(4, 5, 6)));
            assertThat(fit(trn2, only(2, 3, 4), CoreRequest.onOneDevice(3))).isEmpty();
        }

        @Test
        void onOneDeviceNeedsCoresInARow() {
            // given
            NeuronHost trn2 = other(TRN2, 0);

            // then
            assertThat(fit(trn2, only(0, 2), CoreRequest.onOneDevice(2))).isEmpty();
        }

        @Test
        void onConnectedDevicesSkipsUnconnectedConsecutiveDevices() {
            // given devices 3 and 4 are at opposite ends of two rows of the torus
            BitSet free = only(6, 7, 8, 9, 18, 19, 20, 21);

            // then
            assertThat(fit(trn1, free, CoreRequest.inARow(4))).contains(List.of(List.of(6, 7, 8, 9)));
            assertThat(fit(trn1, free, CoreRequest.onConnectedDevices(4))).contains(List.of(List.of(18, 19, 20, 21)));
        }

        @Test
        void onConnectedDevicesAcceptsIndirectConnectionWithinGroup() {
            // given devices 3, 4, 5, 6, 7: 3 meets 7, which meets 4 and 6
            BitSet free = only(6, 7, 8, 9, 10, 11, 12, 13, 14, 15);

            // then
            assertThat(fit(trn1, free, CoreRequest.onConnectedDevices(10)))
                    .contains(List.of(IntStream.range(6, 16).boxed().toList()));
        }

        @Test
        void onConnectedDevicesMayUseOneDevice() {
            // then
            assertThat(onEmpty(trn1, CoreRequest.onConnectedDevices(2))).containsExactly(List.of(0, 1));
        }

        @Test
        void onConnectedDevicesAcceptsLinkListedByOneSide() {
            // given
            NeuronHost pair = new HostFixture(root)
                    .devices(INF2, 0, 1)
                    .sysfs("neuron1/connected_devices", "0\n")
                    .host();

            // then
            assertThat(onEmpty(pair, CoreRequest.onConnectedDevices(4))).containsExactly(List.of(0, 1, 2, 3));

            // given the other side
            NeuronHost another = new HostFixture(root.resolve("another"))
                    .devices(INF2, 0, 1)
                    .sysfs("neuron0/connected_devices", "1\n")
                    .host();

            // then
            assertThat(onEmpty(another, CoreRequest.onConnectedDevices(4))).containsExactly(List.of(0, 1, 2, 3));
        }

        @Test
        void scatteredGetsLowestFreeCores() {
            // then
            assertThat(fit(trn1, only(1, 4, 9, 30), CoreRequest.scattered(3))).contains(List.of(List.of(1, 4, 9)));
        }

        @Test
        void anyDeviceNeedsAllCoresFree() {
            // given
            NeuronHost inf1 = other(INF1, 0, 3);

            // then
            assertThat(fit(inf1, without(inf1, 0), CoreRequest.anyDevice())).contains(List.of(List.of(4, 5, 6, 7)));
        }

        @Test
        void anyDeviceSkipsDeviceWithoutCores() {
            // given a second device that shows none
            NeuronHost half = new HostFixture(root)
                    .devices(INF1, 0)
                    .sysfs("neuron1/core_count", "0\n")
                    .sysfs("neuron1/connected_devices", "\n")
                    .host();

            // then
            assertThat(half.devices()).hasSize(2);
            assertThat(onEmpty(half, CoreRequest.anyDevice())).containsExactly(List.of(0, 1, 2, 3));
            assertThat(fit(half, without(half, 0), CoreRequest.anyDevice())).isEmpty();
        }

        @Test
        void devicesAreNumberedAsOnHost() {
            // given a gap
            NeuronHost inf1 = other(INF1, 0, 3);

            // then
            assertThat(onEmpty(inf1, CoreRequest.devices(3, 0))).containsExactly(List.of(4, 5, 6, 7, 0, 1, 2, 3));
        }
    }

    @Nested
    class SeveralRequests {

        @Test
        void getCoresInOrderOfRequests() {
            // then
            assertThat(onEmpty(trn1, CoreRequest.scattered(2), CoreRequest.inARow(3), CoreRequest.exactly(1)))
                    .containsExactly(List.of(0, 2), List.of(3, 4, 5), List.of(1));
        }

        @Test
        void getNoCoreTwice() {
            // then
            assertThat(onEmpty(trn1, CoreRequest.any(), CoreRequest.any(), CoreRequest.exactly(0)))
                    .containsExactly(List.of(1), List.of(2), List.of(0));
        }

        @Test
        void scatteredRequestsGetNoCoreTwice() {
            // then
            assertThat(fit(trn1, only(1, 4, 9, 30), CoreRequest.scattered(2), CoreRequest.scattered(2)))
                    .contains(List.of(List.of(1, 4), List.of(9, 30)));
            assertThat(fit(trn1, only(1, 4, 9), CoreRequest.scattered(2), CoreRequest.scattered(2)))
                    .isEmpty();
        }

        @Test
        void requestWithFewestPlacesIsPlacedFirst() {
            // then
            assertThat(onEmpty(trn1, CoreRequest.inARow(2), CoreRequest.anyDevice()))
                    .containsExactly(List.of(2, 3), List.of(0, 1));
        }

        @Test
        void avoidExcludedCores() {
            // given
            LeaseRequest request = new LeaseRequest("a test", List.of(CoreRequest.inARow(2)))
                    .avoiding(trn1.cores().subList(1, 3));

            // then
            assertThat(CorePlacement.of(trn1, request).fit(all(trn1)).orElseThrow())
                    .containsExactly(trn1.cores().subList(4, 6));
        }

        @Test
        void getAllOrNothing() {
            // then
            assertThat(fit(trn1, only(0, 1, 2), CoreRequest.inARow(2), CoreRequest.inARow(2)))
                    .isEmpty();
        }

        @Test
        void skipFirstFitThatBlocksOtherRequest() {
            // given a run of two that would break the only run of three
            BitSet free = only(0, 1, 2, 8, 9);

            // then
            assertThat(fit(trn1, free, CoreRequest.inARow(2), CoreRequest.inARow(3)))
                    .contains(List.of(List.of(8, 9), List.of(0, 1, 2)));
        }

        @Test
        void backtrackWhenOtherRequestHasNoPlace() {
            // given the device with cores 0 and 1 comes first for the pair, but is needed for the three
            BitSet free = only(0, 1, 2, 4, 5);

            // then
            assertThat(fit(trn1, free, CoreRequest.inARow(3), CoreRequest.onOneDevice(2)))
                    .contains(List.of(List.of(0, 1, 2), List.of(4, 5)));
        }

        @Test
        void equalRequestsGetPlacesFromLowToHigh() {
            // then
            assertThat(onEmpty(trn1, CoreRequest.anyDevice(), CoreRequest.anyDevice(), CoreRequest.anyDevice()))
                    .containsExactly(List.of(0, 1), List.of(2, 3), List.of(4, 5));
        }

        @Test
        void doNotModifySetOfFreeCores() {
            // given
            BitSet free = all(trn1);

            // when
            fit(trn1, free, CoreRequest.inARow(4), CoreRequest.scattered(2));

            // then
            assertThat(free).isEqualTo(all(trn1));
        }
    }

    @Nested
    class RefusesRequestFor {

        private String reason(NeuronHost host, CoreRequest... requests) {
            return assertThatExceptionOfType(ImpossibleRequestException.class)
                    .isThrownBy(() -> CorePlacement.of(host, new LeaseRequest("a test", Arrays.asList(requests))))
                    .actual()
                    .getMessage();
        }

        @Test
        void moreCoresThanHostHas() {
            // given
            NeuronHost inf2 = other(INF2, 0);

            // then
            assertThat(reason(inf2, CoreRequest.inARow(64)))
                    .isEqualTo("a test requests 64 cores in a row, but there are not so many: "
                            + inf2.tree().name() + " has 2 cores (0 to 1) on 1 device (neuron0 with 2).");
            assertThat(reason(inf2, CoreRequest.scattered(3)))
                    .startsWith("a test requests 3 cores anywhere, but there are not so many: ");
        }

        @Test
        void moreCoresThanADeviceHas() {
            // then
            assertThat(reason(other(INF2, 0, 1), CoreRequest.onOneDevice(3)))
                    .startsWith("a test requests 3 cores in a row on one device, but no device has so many: ")
                    .endsWith(" has 4 cores (0 to 3) on 2 devices (neuron0 with 2, neuron1 with 2).");
        }

        @Test
        void unconnectedDevices() {
            // then
            assertThat(reason(other(INF2, 0, 1), CoreRequest.onConnectedDevices(3)))
                    .startsWith("a test requests 3 cores in a row on connected devices,"
                            + " but no connected devices in a row have so many: ");
        }

        @Test
        void groupSizeUnsupportedByCollectives() {
            // given
            NeuronHost trn2 = other(TRN2, 0, 1);

            // then
            assertThat(reason(trn2, CoreRequest.forCollectives(CoreRequest.inARow(6))))
                    .isEqualTo(
                            "a test requests 6 cores for collectives, and collectives of Trn2 run on 1, 2, 4 or 8 cores"
                                    + " here, not on 6. Request one of these numbers, or leave out collectives = true if the"
                                    + " program uses no collectives.");
            assertThat(reason(trn2, CoreRequest.forCollectives(CoreRequest.inARow(16))))
                    .startsWith("a test requests 16 cores in a row, but there are not so many: ");
        }

        @Test
        void collectiveGroupWithoutAlignedStart() {
            // given only devices 1 and 2 are connected, with cores 2 to 5
            NeuronHost three = new HostFixture(root)
                    .devices(INF2, 0, 1, 2)
                    .sysfs("neuron1/connected_devices", "2\n")
                    .host();

            // then
            assertThat(reason(three, CoreRequest.forCollectives(CoreRequest.onConnectedDevices(4))))
                    .startsWith("a test requests 4 cores in a row on connected devices from a multiple of 4,"
                            + " but no such range of cores starts at a multiple of 4: ");
        }

        @Test
        void missingCore() {
            // then
            assertThat(reason(other(INF2, 0), CoreRequest.exactly(0, 2)))
                    .startsWith("a test requests cores 0, 2, but there is no core 2: ");
        }

        @Test
        void missingDevice() {
            // then
            assertThat(reason(other(INF2, 0, 2), CoreRequest.devices(1)))
                    .startsWith("a test requests device neuron1, but there is no neuron1 with cores: ");
        }

        @Test
        void coresPossibleOnlySeparately() {
            // given
            NeuronHost inf2 = other(INF2, 0);

            // then
            assertThat(reason(inf2, CoreRequest.exactly(1), CoreRequest.inARow(2)))
                    .startsWith("a test requests core 1, and 2 cores in a row."
                            + " Each of them is possible, but not all at once: ");
            assertThat(reason(inf2, CoreRequest.exactly(1), CoreRequest.exactly(1)))
                    .contains("not all at once");
            assertThat(reason(inf2, CoreRequest.scattered(2), CoreRequest.any()))
                    .contains("not all at once");
        }
    }

    @Test
    void unreadableConnectionsAreReportedAtOnce() {
        // given
        String file = "sys/devices/virtual/neuron_device/neuron0/connected_devices";
        HostFixture fixture = new HostFixture(root)
                .devices(INF2, 0, 1)
                .mode("neuron0/connected_devices", "r--------")
                .failing(file, new AccessDeniedException(file));
        NeuronHost host = fixture.host();

        // then
        assertThatExceptionOfType(UnreadableTopologyException.class)
                .isThrownBy(() ->
                        CorePlacement.of(host, new LeaseRequest("a test", List.of(CoreRequest.onConnectedDevices(4)))))
                .withMessageStartingWith("a test requests 4 cores in a row on connected devices,"
                        + " but the connections of the devices are unknown: " + fixture.location(file))
                .withMessageContaining("mode 0400")
                .withCauseInstanceOf(NeuronSysfsException.class);
        assertThat(onEmpty(host, CoreRequest.inARow(4))).containsExactly(List.of(0, 1, 2, 3));
    }
}
