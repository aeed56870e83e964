package dev.neurontest.device;

import static dev.neurontest.device.HostFixture.Kind.INF2;
import static dev.neurontest.device.HostFixture.Kind.TRN1;
import static dev.neurontest.device.HostFixture.Kind.TRN2;
import static dev.neurontest.device.HostFixture.Kind.TRN3;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.internal.counter.tree.TreeFixture;
import dev.neurontest.internal.device.CoreMap;
import dev.neurontest.internal.device.DatastoreCounters;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiscoveryTest {

    @TempDir
    Path root;

    private HostFixture fixture;

    @BeforeEach
    void emptyHost() {
        fixture = new HostFixture(root);
    }

    private static List<Integer> deviceNumbers(NeuronHost host) {
        return host.devices().stream().map(NeuronDevice::index).toList();
    }

    private static List<String> physicalCores(NeuronHost host) {
        return host.cores().stream()
                .flatMap(core -> core.physicalCores().stream())
                .map(PhysicalCore::toString)
                .toList();
    }

    @Nested
    class Reasons {

        private String reason() {
            return assertThatExceptionOfType(NoNeuronDeviceException.class)
                    .isThrownBy(() -> fixture.host())
                    .actual()
                    .getMessage();
        }

        @Test
        void nameMissingDriver() {
            // then
            assertThat(reason())
                    .isEqualTo("no " + fixture.location(NeuronHost.DEVICES)
                            + ": driver not loaded; on an instance, load it (sudo modprobe neuron)");
        }

        @Test
        void nameDriverThatMadeNoDevice() {
            // given
            fixture.file("sys/module/neuron/version", "2.24.7.0\n");

            // then
            assertThat(reason())
                    .isEqualTo("no " + fixture.location(NeuronHost.DEVICES)
                            + ": driver 2.24.7.0 is loaded but created no device (see dmesg)");
        }

        @Test
        void nameDriverWithOnlyClassAttributes() {
            // given
            fixture.sysfs("node_id_2", "-1\n").sysfs("ultraserver_mode", "\n");

            // then
            assertThat(reason())
                    .isEqualTo("no neuronN in " + fixture.location(NeuronHost.DEVICES)
                            + ": the driver is loaded but found no device (see dmesg)");
        }

        @Test
        void nameUnreadableSysfs() {
            // given
            fixture.devices(INF2, 0).failing(NeuronHost.DEVICES, new AccessDeniedException("neuron_device"));

            // then
            assertThat(reason()).startsWith(fixture.location(NeuronHost.DEVICES) + " is not readable for this user");
        }

        @Test
        void nameFailureOfSysfs() {
            // given
            fixture.devices(INF2, 0).failing(NeuronHost.DEVICES, new IOException("Input/output error"));

            // then
            assertThat(reason())
                    .isEqualTo(fixture.location(NeuronHost.DEVICES) + " could not be listed: Input/output error");
        }

        @Test
        void nameLayoutOfDriversUpTo27() {
            // given
            fixture.file("sys/module/neuron/version", "2.7.15.0\n")
                    .sysfs("neuron0/metrics/neuron_core0/status/success/total", "0\n");

            // then
            assertThat(reason())
                    .isEqualTo(
                            "no neuron_coreK in %s: %s exists, which only drivers up to 2.7 have (here: 2.7.15.0), and their counters have another meaning; update the package aws-neuronx-dkms"
                                    .formatted(
                                            fixture.location(NeuronHost.DEVICES + "/neuron0"),
                                            fixture.location(NeuronHost.DEVICES + "/neuron0/metrics")));
        }

        @Test
        void nameDriverWithoutCores() {
            // given
            fixture.file("sys/module/neuron/version", "2.5.7.0\n")
                    .sysfs("neuron0/reset", "1\n")
                    .sysfs("neuron0/core_count", "4");

            // then
            assertThat(reason())
                    .endsWith(
                            ": driver 2.5.7.0 is older than 2.8.4, the first that shows cores; update the package aws-neuronx-dkms");
        }

        /** Verifies drivers 2.8.4 and 2.9.4, which have no statistics of the device, and files of root. */
        @ParameterizedTest
        @CsvSource({"2.8.4.0,false", "2.9.4.0,true"})
        void nameDriverWithoutDeviceCounters(String version, boolean notifies) {
            // given
            fixture.devices(TRN1, 0)
                    .without("neuron0/connected_devices")
                    .file("sys/module/neuron/version", version + "\n");
            if (notifies) {
                fixture.sysfs("neuron0/info/notify_delay", "-1\n");
            }
            for (String counter : List.of("status/success", "status/hw_error", "memory_usage/device_mem")) {
                String file = "neuron0/neuron_core0/stats/" + counter + "/total";
                fixture.sysfs(file, "0\n").mode(file, "rw-------");
            }

            // then
            assertThat(reason())
                    .isEqualTo(
                            "driver %s (%s) shows no counters of a device, which drivers have from 2.10.11 on, so errors of the device would be missed; update the package aws-neuronx-dkms"
                                    .formatted(version, fixture.location("sys/module/neuron/version")));
        }

        @Test
        void nameContainerWithForeignDevices() {
            // given
            fixture.devices(INF2, 0, 1).file("dev/neuron4", "");

            // then
            assertThat(reason())
                    .isEqualTo(
                            "%s has neuron0, neuron1, but %s has only neuron4: pass a device of this host to the container"
                                    .formatted(fixture.location(NeuronHost.DEVICES), fixture.location("dev")));
        }

        @Test
        void nameDevicesThatDisappearDuringDiscovery() {
            // given
            String directory = NeuronHost.DEVICES + "/neuron0";
            fixture.devices(INF2, 0).failing(directory, new NoSuchFileException(directory));

            // then
            assertThat(reason()).startsWith("no neuron_coreK in " + fixture.location(directory));
        }
    }

    @Nested
    class Devices {

        @Test
        void areSortedAsNumbersAndMayHaveGaps() {
            // given
            fixture.devices(INF2, 10, 2, 0, 7);

            // then
            assertThat(deviceNumbers(fixture.host())).containsExactly(0, 2, 7, 10);
        }

        @Test
        void areOnlyDirectoriesNamedNeuronAndNumber() {
            // given other content of the class directory, and other similar names
            fixture.devices(INF2, 0)
                    .sysfs("node_id_2", "-1\n")
                    .sysfs("server_id_4", "0000000000000000\n")
                    .sysfs("neuron7", "a file\n")
                    .sysfs("neuron/core_count", "2")
                    .sysfs("neuron_core0/core_count", "2")
                    .sysfs("neuron01/core_count", "2")
                    .sysfs("neuronX/core_count", "2")
                    .sysfs("neuron99999999999/core_count", "2");

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(deviceNumbers(host)).containsExactly(0);
            assertThat(host.notices()).isEmpty();
        }

        @Test
        void areLimitedToNodesOfContainer() {
            // given
            fixture.devices(TRN1, IntStream.range(0, 16).toArray())
                    .file("dev/neuron4", "")
                    .file("dev/neuron11", "");

            // when
            NeuronHost host = fixture.host();

            // then its runtime counts from 0
            assertThat(deviceNumbers(host)).containsExactly(4, 11);
            assertThat(host.cores().get(0).physicalCores()).containsExactly(new PhysicalCore(4, 0));
            assertThat(host.cores().get(2).physicalCores()).containsExactly(new PhysicalCore(11, 0));
        }

        private HostFixture numbered(int... devices) {
            fixture.devices(TRN1, devices);
            for (int device : devices) {
                fixture.sysfs("neuron" + device + "/dev", "243:" + device + "\n");
            }
            return fixture;
        }

        @Test
        void areFoundByDeviceNumbersOfRenumberedNodes() {
            // given a pod with nodes that count from 0
            numbered(0, 1, 2, 3).node("dev/neuron0", 243, 2).node("dev/neuron1", 243, 3);

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(deviceNumbers(host)).containsExactly(2, 3);
            assertThat(host.devices()).extracting(NeuronDevice::node).containsExactly("dev/neuron0", "dev/neuron1");
            assertThat(host.renumberedNodes())
                    .contains("%s is neuron2 of sysfs (243:2), %s is neuron3 of sysfs (243:3)"
                            .formatted(fixture.location("dev/neuron0"), fixture.location("dev/neuron1")));
            assertThat(host.notices()).singleElement().asString().startsWith("device nodes are renumbered: ");
        }

        @Test
        void areNotRenumberedWhereNamesAndNumbersAgree() {
            // given
            numbered(0, 1, 2, 3).node("dev/neuron1", 243, 1).node("dev/neuron3", 243, 3);

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(deviceNumbers(host)).containsExactly(1, 3);
            assertThat(host.renumberedNodes()).isEmpty();
            assertThat(host.notices())
                    .containsExactly(
                            "there are device nodes of neuron1, neuron3 only: cores are counted from 0 over these, as the runtime does in a container with some of the devices");
        }

        @Test
        void areFoundByNodeNameWhenNumberIsUnreadable() {
            // given
            numbered(0, 1, 2)
                    .failing(NeuronHost.DEVICES + "/neuron1/dev", new IOException("Input/output error"))
                    .node("dev/neuron0", 243, 0)
                    .node("dev/neuron1", 243, 1)
                    .node("dev/neuron2", 243, 7);

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(deviceNumbers(host)).containsExactly(0, 1);
            assertThat(host.renumberedNodes()).isEmpty();
            assertThat(host.notices())
                    .singleElement()
                    .asString()
                    .startsWith(fixture.location("dev/neuron2") + " has the device number 243:7, which no neuronN in ");
        }

        @Test
        void useNodeOfSameNameAmongSeveral() {
            // given
            numbered(0, 1, 2, 3)
                    .node("dev/neuron0", 243, 2)
                    .node("dev/neuron2", 243, 2)
                    .node("dev/neuron3", 243, 2);

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(host.devices()).extracting(NeuronDevice::node).containsExactly("dev/neuron2");
            assertThat(host.renumberedNodes()).isEmpty();
        }

        @Test
        void areRenumberedWhenNodesAreSwapped() {
            // given
            numbered(0, 1).node("dev/neuron0", 243, 1).node("dev/neuron1", 243, 0);

            // then
            assertThat(fixture.host().devices())
                    .extracting(NeuronDevice::name, NeuronDevice::node)
                    .containsExactly(tuple("neuron0", "dev/neuron1"), tuple("neuron1", "dev/neuron0"));
        }

        @Test
        void excludeNodesOfOtherDrivers() {
            // given
            numbered(0, 1).node("dev/neuron0", 10, 0).node("dev/neuron1", 243, 1);

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(deviceNumbers(host)).containsExactly(1);
            assertThat(host.notices())
                    .contains("%s has the device number 10:0, which no neuronN in %s has, and is left out"
                            .formatted(fixture.location("dev/neuron0"), fixture.location(NeuronHost.DEVICES)));
        }

        @Test
        void areFoundByNodeNameWithoutNumbersInSysfs() {
            // given
            fixture.devices(TRN1, 0, 1).node("dev/neuron1", 243, 0);

            // then
            assertThat(deviceNumbers(fixture.host())).containsExactly(1);
        }

        @Test
        void areAbsentInContainerWithoutNodes() {
            // given
            fixture.devices(INF2, 0, 1).file("dev/null", "");

            // then
            assertThatThrownBy(fixture::host)
                    .isInstanceOf(NoNeuronDeviceException.class)
                    .hasMessageContaining("has none: pass a device");
        }

        @Test
        void areLeftOutWithNoticeWhenTheyDisappear() {
            // given
            String directory = NeuronHost.DEVICES + "/neuron1";
            fixture.devices(INF2, 0, 1).failing(directory, new IOException("No such device"));

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(deviceNumbers(host)).containsExactly(0);
            assertThat(host.notices())
                    .containsExactly(
                            fixture.location(directory) + " could not be listed and is left out: No such device");
        }

        @Test
        void haveNoticeWhenTheyHaveNoCores() {
            // given
            fixture.devices(INF2, 0).directory(NeuronHost.DEVICES + "/neuron1");

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(host.devices().get(1).cores()).isEmpty();
            assertThat(host.notices())
                    .containsExactly(fixture.location(NeuronHost.DEVICES + "/neuron1") + " has no neuron_coreK");
        }
    }

    @Nested
    class Cores {

        @ParameterizedTest
        @CsvSource({"INF1,4", "INF2,2", "TRN1,2", "TRN2,8", "TRN3,8"})
        void haveTheCountOfTheirFamily(HostFixture.Kind kind, int cores) {
            // given
            fixture.devices(kind, 0);

            // then
            assertThat(fixture.host().devices().get(0).physicalCores())
                    .isEqualTo(IntStream.range(0, cores)
                            .mapToObj(core -> new PhysicalCore(0, core))
                            .toList());
        }

        @Test
        void areCountedByTheirDirectoriesWhereCoreCountIsUnreadable() {
            // given
            String count = NeuronHost.DEVICES + "/neuron0/core_count";
            fixture.devices(INF2, 0).failing(count, new AccessDeniedException(count));

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(host.cores()).hasSize(2);
            assertThat(host.notices()).isEmpty();
        }

        @Test
        void areCountedByTheirDirectoriesWhereCoreCountIsMissing() {
            // given
            fixture.devices(INF2, 0).without("neuron0/core_count");

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(host.cores()).hasSize(2);
            assertThat(host.notices()).isEmpty();
        }

        @ParameterizedTest
        @CsvSource({"4", "-2", "two", "18446744073709551615"})
        void areCountedByTheirDirectoriesWhereCoreCountDiffers(String count) {
            // given
            fixture.devices(INF2, 0).sysfs("neuron0/core_count", count);

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(host.cores()).hasSize(2);
            assertThat(host.notices())
                    .containsExactly("%s contains %s, but there are 2 neuron_core directories; the directories are used"
                            .formatted(fixture.location(NeuronHost.DEVICES + "/neuron0/core_count"), count));
        }

        @Test
        void mayHaveGapsInTheirNumbers() {
            // given
            fixture.directory(NeuronHost.DEVICES + "/neuron0/neuron_core1")
                    .directory(NeuronHost.DEVICES + "/neuron0/neuron_core10")
                    .directory(NeuronHost.DEVICES + "/neuron0/neuron_core2");

            // then
            assertThat(physicalCores(fixture.host()))
                    .containsExactly("neuron0/neuron_core1", "neuron0/neuron_core2", "neuron0/neuron_core10");
        }

        @Test
        void areNumberedAcrossPresentDevices() {
            // given a gap
            fixture.devices(TRN1, 0, 2);

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(host.cores()).extracting(NeuronCore::index).containsExactly(0, 1, 2, 3);
            assertThat(physicalCores(host))
                    .containsExactly(
                            "neuron0/neuron_core0",
                            "neuron0/neuron_core1",
                            "neuron2/neuron_core0",
                            "neuron2/neuron_core1");
            assertThat(host.devices().get(1).cores()).isEqualTo(host.cores().subList(2, 4));
        }
    }

    @Nested
    class LogicalCores {

        @ParameterizedTest
        @CsvSource({"INF1,1", "INF2,1", "TRN1,1", "TRN2,2", "TRN3,2"})
        void havePhysicalCoresByFamily(HostFixture.Kind kind, int size) {
            // given
            fixture.devices(kind, 0);

            // then
            assertThat(fixture.host().logicalCoreSize()).isEqualTo(size);
        }

        @Test
        void followMapOfTrn2() {
            // given trn2.48xlarge
            fixture.devices(TRN2, IntStream.range(0, 16).toArray());

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(host.cores()).hasSize(64);
            assertThat(host.cores().get(0).physicalCores())
                    .containsExactly(new PhysicalCore(0, 4), new PhysicalCore(0, 5));
            assertThat(host.cores().get(8).physicalCores())
                    .containsExactly(new PhysicalCore(2, 4), new PhysicalCore(2, 5));
            assertThat(host.cores().get(63).physicalCores())
                    .containsExactly(new PhysicalCore(15, 2), new PhysicalCore(15, 3));
            assertThat(physicalCores(host)).hasSize(128).doesNotHaveDuplicates();
        }

        @Test
        void areSinglePhysicalCoresOnRequest() {
            // given
            fixture.devices(TRN2, 0, 1);

            // when
            NeuronHost host = NeuronHost.discover(fixture.tree(), LogicalCoreSize.ONE);

            // then
            assertThat(host.logicalCoreSize()).isEqualTo(1);
            assertThat(host.cores()).hasSize(16);
            assertThat(host.cores().get(8).physicalCores()).containsExactly(new PhysicalCore(1, 2));
        }

        @Test
        void cannotBePairedOnInf2() {
            // given
            fixture.devices(INF2, 0);

            // when
            NeuronHost host = NeuronHost.discover(fixture.tree(), LogicalCoreSize.TWO);

            // then
            assertThat(host.logicalCoreSize()).isEqualTo(1);
            assertThat(host.notices()).singleElement().asString().contains("only on Trn2 and Trn3", "INF2");
        }

        @Test
        void followGivenMap() {
            // given
            fixture.devices(TRN2, 0);

            // when
            NeuronHost host = NeuronHost.discover(fixture.tree(), LogicalCoreSize.TWO, CoreMap.IDENTITY);

            // then
            assertThat(host.coreMap()).isEqualTo(CoreMap.IDENTITY);
            assertThat(host.cores().get(0).physicalCores())
                    .containsExactly(new PhysicalCore(0, 0), new PhysicalCore(0, 1));
        }

        @Test
        void keepSysfsOrderWhenMapDoesNotFit() {
            // given a Trn2 device with a core that did not come up
            fixture.devices(TRN2, 0)
                    .without("neuron0/neuron_core7/info/architecture/arch_type")
                    .without("neuron0/neuron_core7/info/architecture")
                    .without("neuron0/neuron_core7/info")
                    .without("neuron0/neuron_core7")
                    .sysfs("neuron0/core_count", "7");

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(physicalCores(host))
                    .isEqualTo(IntStream.range(0, 6)
                            .mapToObj(core -> "neuron0/neuron_core" + core)
                            .toList());
            assertThat(host.notices())
                    .satisfiesExactly(
                            notice -> assertThat(notice).contains("which the numbering trn2 does not fit"),
                            notice -> assertThat(notice).contains("has 7 cores, so the last one has no partner"));
        }

        private HostFixture machine(HostFixture.Kind kind, String product, String driver) {
            return fixture.devices(kind, 0)
                    .file("sys/devices/virtual/dmi/id/product_name", product + "\n")
                    .file("sys/module/neuron/version", driver + "\n");
        }

        @ParameterizedTest
        @CsvSource({
            "trn2u.48xlarge,2.30.2.0,node_id_2,0,TRN2",
            "trn2u.48xlarge,2.30.2.0,node_id_2,-1,TRN2",
            "trn2es.48xlarge,2.30.2.0,node_id,1,TRN2",
            "trn2es.48xlarge,2.26.5.0,node_id_2,1,TRN2",
            "trn2en.24xlarge,2.30.2.0,node_id,3,TRN2",
            "trn2.48xlarge,2.30.2.0,node_id_4,3,TRN2",
            "trn2.48xlarge,2.26.5.0,node_id_2,-1,TRN2"
        })
        void areNotFlippedOnOtherNodesAndMachines(
                String product, String driver, String attribute, String node, CoreMap map) {
            // given
            machine(TRN2, product, driver).file("sys/class/neuron_device/" + attribute, node + "\n");

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(host.coreMap()).isEqualTo(map);
            assertThat(host.coreMapDoubt()).isEmpty();
            assertThat(host.notices()).isEmpty();
        }

        @Test
        void areFlippedOnTrn3AsOnTrn2() {
            // given
            machine(TRN3, "trn3p.48xlarge", "2.27.4.0").file("sys/class/neuron_device/node_id_2", "1\n");

            // then
            assertThat(fixture.host().coreMap()).isEqualTo(CoreMap.TRN2_FLIPPED);
        }

        @ParameterizedTest
        @CsvSource({
            "trn2u.48xlarge,2.23.9.0,1,TRN2_FLIPPED,unless a runtime holds its cores in mode X1; no file shows that",
            "trn2u-ac.24xlarge,2.25.4.0,1,TRN2_FLIPPED,unless a runtime holds its cores in mode X1; no file shows that",
            "trn2u.48xlarge,2.27.4.0,1,TRN2_FLIPPED,unless a runtime holds its cores in mode X1; no file shows that",
            "trn2u.48xlarge,2.28.0.0,1,TRN2_FLIPPED,in mode X1 or requests a map without the flip",
            "trn2u.48xlarge,2.30.2.0,1,TRN2_FLIPPED,in mode X1 or requests a map without the flip",
            "trn2u.48xlarge,2.27.4.0,busy,TRN2,contains busy",
            "trn2u.48xlarge,2.30.2.0,init_error,TRN2,contains init_error",
            "trn2u.48xlarge,2.22.2.0,,TRN2,before 2.23.9 do not show",
            "trn2u.48xlarge,2.26.5.0,,TRN2,does not exist or cannot be read",
            "trn2.48xlarge,2.30.2.0,1,TRN2,has no UltraServer with the name trn2.48xlarge",
            "trn2eu.48xlarge,2.22.2.0,1,TRN2,has no UltraServer with the name trn2eu.48xlarge"
        })
        void areInDoubtWhenFilesDoNotDecideMap(String product, String driver, String node, CoreMap map, String reason) {
            // given
            machine(TRN2, product, driver);
            if (node != null) {
                fixture.file("sys/class/neuron_device/node_id_2", node + "\n");
            }

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(host.coreMap()).isEqualTo(map);
            assertThat(host.coreMapDoubt()).get().asString().contains(reason);
            assertThat(host.notices())
                    .singleElement()
                    .asString()
                    .startsWith("The order of the physical cores is not certain: ")
                    .contains(reason)
                    .endsWith(
                            ". Used: " + map.setting()
                                    + ". Results for the counters of part of a device are undecided; set neuron.test.core.map to resolve the doubt.");
        }

        @ParameterizedTest
        @CsvSource({
            "TRN3,trn4-new.48xlarge,2.31.7.0,hbm_7200_capable node_id=0 node_cnt=2,so the order may be trn3-pds",
            "TRN2,trn2-new.48xlarge,2.31.7.0,hbm_7200_capable node_id_2=busy,so the order may be trn2 or trn2-flipped",
            "TRN2,trn2-new.48xlarge,2.31.7.0,hbm_7200_capable node_id_2=0,",
            "TRN2,trn2-new.48xlarge,2.31.7.0,hbm_7200_capable node_id=0 node_cnt=4,",
            "TRN2,trn2-new.48xlarge,2.26.5.0,node_id_2=busy,",
            "TRN3,trn3-new.48xlarge,2.31.7.0,hbm_7200_capable,"
        })
        void areInDoubtWhenClassAttributesContradictUnknownName(
                HostFixture.Kind kind, String product, String driver, String attributes, String reason) {
            // given
            machine(kind, product, driver);
            classAttributes(attributes);

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(host.coreMap()).isEqualTo(CoreMap.TRN2);
            if (reason == null) {
                assertThat(host.coreMapDoubt()).isEmpty();
            } else {
                assertThat(host.coreMapDoubt())
                        .get()
                        .asString()
                        .contains(product)
                        .endsWith(reason);
            }
        }

        @Test
        void areNotInDoubtWhereTheMapIsGiven() {
            // given
            machine(TRN2, "trn2u.48xlarge", "2.30.2.0").file("sys/class/neuron_device/node_id_2", "1\n");

            // when
            NeuronHost host = NeuronHost.discover(fixture.tree(), LogicalCoreSize.BY_FAMILY, CoreMap.TRN2);

            // then
            assertThat(host.coreMapDoubt()).isEmpty();
            assertThat(host.notices()).isEmpty();
        }

        @Test
        void areNotFlippedByModuleParameter() {
            // given
            machine(TRN2, "trn2u.48xlarge", "2.27.4.0")
                    .file("sys/class/neuron_device/node_id_2", "0\n")
                    .file("sys/module/neuron/parameters/force_die_flip", "1\n");

            // then
            assertThat(fixture.host().coreMap()).isEqualTo(CoreMap.TRN2);
        }

        @ParameterizedTest
        @CsvSource({
            "trn3pd98.3xlarge,2.30.2.0,TRN2",
            "trn3.48xlarge,2.30.2.0,TRN3_PDS",
            "trn3.48xlarge,2.27.4.0,TRN2",
            "trn3s.48xlarge,2.27.4.0,TRN3_PDS",
            "trn3s.48xlarge,2.26.5.0,TRN3_PDS_2_26",
            "trn3s.48xlarge,2.25.4.0,TRN2",
            "trn3s.48xlarge,2.28.0.0,TRN2",
            "trn3s-es.48xlarge,2.30.2.0,TRN3_PDS",
            "trn3s-es.48xlarge,2.29.0.0,TRN2",
            "trn3e.24xlarge,2.29.0.0,TRN3_PDS",
            "trn3e.24xlarge,2.28.0.0,TRN2",
            "trn3e.24xlarge-prefix,2.31.7.0,TRN3_PDS",
            "trn3en.24xlarge,2.30.2.0,TRN2"
        })
        void haveTheMapOfTheirPlatformOnTrn3(String product, String driver, CoreMap map) {
            // given
            machine(TRN3, product, driver);

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(host.coreMap()).isEqualTo(map);
            assertThat(host.coreMapDoubt()).isEmpty();
        }

        @ParameterizedTest
        @CsvSource({"2.29.0.0,false", "2.28.0.0,true"})
        void followStandardMapWithoutProductName(String driver, boolean inDoubt) {
            // given
            fixture.devices(TRN3, 0).file("sys/module/neuron/version", driver + "\n");

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(host.coreMap()).isEqualTo(CoreMap.TRN2);
            assertThat(host.coreMapDoubt().isPresent()).isEqualTo(inDoubt);
        }

        private void classAttributes(String attributes) {
            fixture.withoutClassAttributes();
            for (String attribute : attributes.split(" ")) {
                String[] file = attribute.split("=");
                fixture.file("sys/class/neuron_device/" + file[0], (file.length > 1 ? file[1] : "0") + "\n");
            }
        }

        @ParameterizedTest
        @CsvSource({
            "TRN2,2.27.4.0,hbm_7200_capable,TRN2",
            "TRN2,2.31.7.0,current_perf_profile,TRN2",
            "TRN2,2.x.7693.0,hbm_7200_capable,TRN2",
            "TRN2,2.30.2.0,hbm_7200_capable node_id_2=0,TRN2",
            "TRN2,2.26.5.0,node_id_2=-1,TRN2",
            "TRN2,2.30.2.0,hbm_7200_capable node_id=1 node_cnt=4,TRN2",
            "TRN3,2.30.2.0,hbm_7200_capable,TRN2",
            "TRN3,2.30.2.0,hbm_7200_capable node_id=0 node_cnt=2,TRN3_PDS",
            "TRN3,2.28.0.0,node_id=0 node_cnt=2,TRN3_PDS",
            "TRN3,2.x.7693.0,node_cnt=2,TRN3_PDS"
        })
        void areCertainWhenClassAttributesIdentifyPlatform(
                HostFixture.Kind kind, String driver, String attributes, CoreMap map) {
            // given a container that hides the product name from the test, and not from the driver
            fixture.devices(kind, 0).file("sys/module/neuron/version", driver + "\n");
            classAttributes(attributes);

            // then
            assertThat(fixture.host().coreMap()).isEqualTo(map);
            assertThat(fixture.host().coreMapDoubt()).isEmpty();
        }

        @ParameterizedTest
        @CsvSource({
            "TRN2,2.26.5.0,node_id_2=busy,TRN2,the order may be trn2 or trn2-flipped",
            "TRN2,2.26.5.0,node_id_2=1,TRN2_FLIPPED,the order may be trn2-flipped or trn2",
            "TRN2,2.31.7.0,node_id_4=0,TRN2,the order may be trn2 or trn2-flipped",
            "TRN2,2.30.2.0,hbm_7200_capable node_id_2=busy,TRN2,contains busy",
            "TRN2,2.30.2.0,hbm_7200_capable node_id_2=1,TRN2_FLIPPED,in mode X1 or requests",
            "TRN3,2.26.5.0,node_id_2=-1,TRN2,the order may be trn2 or trn3-pds-2-26",
            "TRN3,2.30.2.0,node_id_4=0,TRN2,the order may be trn2 or trn2-flipped or trn3-pds"
        })
        void areInDoubtWhenPossiblePlatformsDiffer(
                HostFixture.Kind kind, String driver, String attributes, CoreMap map, String reason) {
            // given
            fixture.devices(kind, 0).file("sys/module/neuron/version", driver + "\n");
            classAttributes(attributes);

            // then
            assertThat(fixture.host().coreMap()).isEqualTo(map);
            assertThat(fixture.host().coreMapDoubt()).get().asString().contains(reason);
        }

        @ParameterizedTest
        @CsvSource({"2.18.20.0,false", "2.30.2.0,true", "2.31.7.0,true"})
        void areInDoubtWithoutClassAttributesOnNewDrivers(String driver, boolean inDoubt) {
            // given
            fixture.devices(TRN2, 0).withoutClassAttributes().file("sys/module/neuron/version", driver + "\n");

            // then
            assertThat(fixture.host().coreMap()).isEqualTo(CoreMap.TRN2);
            assertThat(fixture.host().coreMapDoubt().isPresent()).isEqualTo(inDoubt);
        }

        @Test
        void areInDoubtWhenReleasesOfUnknownDriverDiffer() {
            // given
            machine(TRN3, "trn3.48xlarge", "2.x.7693.0");

            // then
            assertThat(fixture.host().coreMap()).isEqualTo(CoreMap.TRN3_PDS);
            assertThat(fixture.host().coreMapDoubt())
                    .get()
                    .asString()
                    .isEqualTo(
                            "the version of the driver is unknown, and drivers number the cores of a trn3.48xlarge by"
                                    + " trn3-pds or trn2");
        }

        @Test
        void areCertainWhenReleasesOfUnknownDriverAgree() {
            // given
            machine(TRN2, "trn2u.48xlarge", "2.x.7693.0").file("sys/class/neuron_device/node_id_2", "0\n");

            // then
            assertThat(fixture.host().coreMap()).isEqualTo(CoreMap.TRN2);
            assertThat(fixture.host().coreMapDoubt()).isEmpty();
        }

        @ParameterizedTest
        @CsvSource({"INF1", "INF2", "TRN1"})
        void followSysfsOrderOnInfAndTrn1(HostFixture.Kind kind) {
            // given
            fixture.devices(kind, 0);

            // then
            assertThat(fixture.host().coreMap()).isEqualTo(CoreMap.IDENTITY);
        }
    }

    @Nested
    class Driver {

        @Test
        void versionAndInstanceTypeAreRead() {
            // given
            fixture.devices(TRN1, 0)
                    .file("sys/module/neuron/version", "2.26.5.0\n")
                    .file("sys/devices/virtual/dmi/id/product_name", "trn1.2xlarge\n");

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(host.driverVersion()).contains(new DriverVersion("2.26.5.0"));
            assertThat(host.instanceType()).contains("trn1.2xlarge");
        }

        @Test
        void versionAndInstanceTypeMayBeAbsent() {
            // given
            fixture.devices(TRN1, 0);

            // when
            NeuronHost host = fixture.host();

            // then the family that sysfs shows is no size
            assertThat(host.driverVersion()).isEmpty();
            assertThat(host.instanceType()).isEmpty();
        }

        @ParameterizedTest
        @CsvSource({
            "2.24.7.0,DEFERRED,driver 2.24.7.0",
            "2.29.0.0,DEFERRED,driver 2.29.0.0",
            "2.30.1.9,DEFERRED,driver 2.30.1.9",
            "2.30.2.0,LIVE,driver 2.30.2.0",
            "2.100.0,LIVE,driver 2.100.0",
            "3.0,LIVE,driver 3.0",
            "2.10.11.0,DEFERRED,driver 2.10.11.0"
        })
        void versionDecidesBetweenLiveAndDeferredCounters(String version, DatastoreCounters counters, String reason) {
            // given
            fixture.devices(INF2, 0).file("sys/module/neuron/version", version + "\n");

            // then
            assertThat(fixture.host().datastoreCounters()).isEqualTo(counters);
            assertThat(fixture.host().datastoreCountersReason()).isEqualTo(reason);
        }

        @ParameterizedTest
        @CsvSource({
            "fw_api_version,DEFERRED",
            "fw_build,DEFERRED",
            "stats/power/utilization_raw,DEFERRED",
            "stats/hardware/sram_ecc_corrected,LIVE"
        })
        void filesDecideCountersWhenVersionIsUnknown(String file, DatastoreCounters counters) {
            // given
            fixture.devices(INF2, 0, 1)
                    .sysfs("neuron1/" + file, "0\n")
                    .file("sys/module/neuron/version", "2.x.7693.0\n");

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(host.datastoreCounters()).isEqualTo(counters);
            assertThat(host.datastoreCountersReason())
                    .startsWith("driver version 2.x.7693.0 cannot be compared")
                    .endsWith(
                            counters == DatastoreCounters.LIVE
                                    ? ", but " + fixture.location(NeuronHost.DEVICES + "/neuron1/" + file)
                                            + " exists, which drivers have from 2.30.2 on"
                                    : ", so the rule of drivers up to 2.29 is assumed");
        }

        @ParameterizedTest
        @CsvSource({
            "2.27.4.0,fw_api_version,DEFERRED",
            "2.29.0.0,stats/hardware/sram_ecc_corrected,DEFERRED",
            "2.30.2.0,nothing,LIVE"
        })
        void versionPrevailsOverFiles(String version, String file, DatastoreCounters counters) {
            // given
            fixture.devices(INF2, 0).sysfs("neuron0/" + file, "3\n").file("sys/module/neuron/version", version + "\n");

            // then
            assertThat(fixture.host().datastoreCounters()).isEqualTo(counters);
            assertThat(fixture.host().datastoreCountersReason()).isEqualTo("driver " + version);
            assertThat(fixture.host().notices()).isEmpty();
        }

        @ParameterizedTest
        @CsvSource({"stats/hardware/sram_ecc_corrected,''", "fw_build,''", "fw_api_version,trn3-pds or trn2"})
        void filesNarrowMapsWhenVersionIsMissing(String file, String maps) {
            // given
            fixture.devices(TRN3, 0)
                    .sysfs("neuron0/" + file, "0\n")
                    .file("sys/devices/virtual/dmi/id/product_name", "trn3.48xlarge\n");

            // then
            assertThat(fixture.host().coreMap()).isEqualTo(CoreMap.TRN3_PDS);
            assertThat(fixture.host().coreMapDoubt().orElse("")).endsWith(maps);
            assertThat(fixture.host().coreMapDoubt().isEmpty()).isEqualTo(maps.isEmpty());
        }

        @ParameterizedTest
        @CsvSource({"2.30.2.1", "2.31.7.0", "2.99.0.0", "3.0"})
        void givesNoticeWhenNewerThanKnown(String version) {
            // given
            fixture.devices(INF2, 0).file("sys/module/neuron/version", version + "\n");

            // then
            assertThat(fixture.host().notices())
                    .singleElement()
                    .asString()
                    .startsWith("driver %s is newer than the newest known one (2.30.2.0)".formatted(version));
        }

        @ParameterizedTest
        @CsvSource({"2.x.7693.0", "custom"})
        void givesNoticeWhenVersionIsNoNumber(String version) {
            // given
            fixture.devices(INF2, 0).file("sys/module/neuron/version", version + "\n");

            // then
            assertThat(fixture.host().notices())
                    .singleElement()
                    .asString()
                    .startsWith("the driver's version %s cannot be compared".formatted(version));
        }

        @Test
        void isTreatedAsOldWithoutVersion() {
            // given
            fixture.devices(INF2, 0);

            // then
            assertThat(fixture.host().datastoreCounters()).isEqualTo(DatastoreCounters.DEFERRED);
            assertThat(fixture.host().datastoreCountersReason())
                    .startsWith("driver version unknown")
                    .contains(fixture.location("sys/module/neuron/version"));
        }

        @Test
        void isTreatedAsOldWhenVersionIsNoNumber() {
            // given
            fixture.devices(INF2, 0).file("sys/module/neuron/version", "custom\n");

            // then
            assertThat(fixture.host().datastoreCounters()).isEqualTo(DatastoreCounters.DEFERRED);
            assertThat(fixture.host().datastoreCountersReason()).startsWith("driver version custom cannot be compared");
        }
    }

    @Nested
    class Architectures {

        @ParameterizedTest
        @CsvSource({
            "INF1,INF1,NDv1,NCv1,Inferentia",
            "INF2,INF2,NDv3,NCv2,Inferentia2",
            "TRN1,TRN1,NDv2,NCv2,Trainium1",
            "TRN2,TRN2,NDv3,NCv3,Trainium2",
            "TRN3,TRN3,NDv4,NCv4,Trainium3"
        })
        void areReadFromDriver(HostFixture.Kind kind, Family family, String device, String core, String name) {
            // given
            fixture.devices(kind, 0);

            // when
            Architecture architecture = fixture.host().devices().get(0).architecture();

            // then
            assertThat(architecture.family()).isEqualTo(family);
            assertThat(architecture.device()).contains(device);
            assertThat(architecture.core()).contains(core);
            assertThat(architecture.name()).contains(name);
        }

        @Test
        void areEmptyWhereTheDriverShowsNone() {
            // given
            fixture.directory(NeuronHost.DEVICES + "/neuron0/neuron_core0");

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(host.devices().get(0).architecture())
                    .isEqualTo(new Architecture(Family.UNKNOWN, Optional.empty(), Optional.empty(), Optional.empty()));
            assertThat(host.logicalCoreSize()).isEqualTo(1);
        }

        @Test
        void areReadTogetherForAllDevices() {
            // given
            TreeFixture tree = TreeFixture.host(3, 2);

            // when
            NeuronHost.discover(tree);

            // then
            assertThat(tree.batches()).isEqualTo(1);
            assertThat(tree.readAlone()).noneMatch(path -> path.endsWith("arch_type") || path.endsWith("core_count"));
        }

        @Test
        void haveANoticeWhereTheyCannotBeRead() {
            // given
            String file = NeuronHost.DEVICES + "/neuron0/info/architecture/arch_type";
            fixture.devices(TRN2, 0).failing(file, new IOException("Input/output error"));

            // when
            NeuronHost host = fixture.host();

            // then
            assertThat(host.devices().get(0).architecture().device()).isEmpty();
            assertThat(host.devices().get(0).architecture().family()).isEqualTo(Family.TRN2);
            assertThat(host.notices())
                    .singleElement()
                    .asString()
                    .contains(fixture.location(file), "Input/output error");
        }
    }
}
