package dev.neurontest.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.conformance.Facts.DriverFile;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Cases for the existing files, their modes and their sizes. */
abstract class ShapeCases implements Cases {

    /** The files that the Linux device core creates; the kernel decides which of them exist. */
    private static final Pattern GENERIC = Pattern.compile("neuron[0-9]+/(uevent|dev|subsystem|power/[a-z_]+)");

    /**
     * Returns the driver's files below the devices with their modes, without following links. Known paths are assumed
     * to be files.
     */
    private Map<String, String> driverFiles(Set<String> known) throws IOException {
        Map<String, String> files = new HashMap<>();
        walk("", known, files);
        files.keySet().removeIf(path -> GENERIC.matcher(path).matches());
        return files;
    }

    private void walk(String directory, Set<String> known, Map<String, String> files) throws IOException {
        for (String name : host().tree().list(Facts.DEVICES + "/" + directory)) {
            String file = directory + name;
            if (!known.contains(file) && isDirectory(Facts.DEVICES + "/" + file)) {
                if (host().tree().linkTarget(Facts.DEVICES + "/" + file).isEmpty()) {
                    walk(file + "/", known, files);
                }
            } else {
                files.put(file, mode(Facts.DEVICES + "/" + file));
            }
        }
    }

    private boolean isDirectory(String path) {
        try {
            host().tree().list(path);
            return true;
        } catch (IOException file) {
            return false;
        }
    }

    private String mode(String path) {
        return octal(host().tree().mode(path).orElseThrow());
    }

    private static String octal(int mode) {
        return "0%o".formatted(mode);
    }

    @Test
    void exactlyTheDriverFilesExistWithTheirModes() throws IOException {
        host().needs(Ability.KNOWN_LAYOUT);
        Map<String, String> expected = host().layout().files(host().type()).entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, file -> octal(file.getValue().mode())));

        assertThat(driverFiles(expected.keySet())).isEqualTo(expected);
    }

    @Test
    void everyDirectoryHasMode0755() throws IOException {
        String directory = host().path("neuron0/neuron_core0", "info/architecture/arch_type");
        while (!directory.equals(Facts.DEVICES)) {
            directory = directory.substring(0, directory.lastIndexOf('/'));
            assertThat(mode(directory)).as(directory).isEqualTo("0755");
        }
    }

    @Test
    void noAttributeCanBeMapped() throws Exception {
        String coreCount = host().path("neuron0", "core_count");
        host().needs(Ability.FILES);
        host().needs(Ability.REFUSED_MAPS, () -> host().access().map(coreCount));

        assertThatThrownBy(() -> host().access().map(coreCount))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("No such device");
    }

    @Test
    void everyAttributeHasSizeOfOnePage() throws Exception {
        String coreCount = host().path("neuron0", "core_count");
        host().needs(
                        Ability.SIZE_OF_A_PAGE,
                        () -> assertThat(host().access().size(coreCount))
                                .isEqualTo(host().read(coreCount).length()));

        for (String file : new String[] {"core_count", "info/architecture/arch_type"}) {
            assertThat(host().access().size(host().path("neuron0", file)))
                    .as(file)
                    .isEqualTo(4096);
        }
    }

    @Test
    void everyDeviceHasEntriesOfLinux() throws IOException {
        for (var device : host().discover().devices()) {
            String directory = device.directory() + "/";
            assertThat(host().tree().linkTarget(directory + "subsystem")).hasValue("../../../../class/neuron_device");
            String uevent = host().read(directory + "uevent");
            assertThat(uevent)
                    .matches("MAJOR=[0-9]+\nMINOR=[0-9]+\nDEVNAME=" + device.name() + "\n")
                    .startsWith(
                            "MAJOR=" + host().read(directory + "dev").strip().replace(":", "\nMINOR=") + "\n");
            assertThat(host().tree().list(directory + "power"))
                    .isNotEmpty()
                    .isSubsetOf(
                            "async",
                            "autosuspend_delay_ms",
                            "control",
                            "runtime_active_kids",
                            "runtime_active_time",
                            "runtime_enabled",
                            "runtime_status",
                            "runtime_suspended_time",
                            "runtime_usage");
            assertThat(mode(directory + "uevent")).isEqualTo("0644");
            assertThat(mode(directory + "dev")).isEqualTo("0444");
        }
    }

    @Test
    void theClassDirectoryHasALinkForEachDevice() throws IOException {
        for (var device : host().discover().devices()) {
            String link = Facts.CLASS + "/" + device.name();

            assertThat(host().tree().linkTarget(link)).hasValue("../../devices/virtual/neuron_device/" + device.name());
            String architecture = host().path(device.name(), "info/architecture/arch_type");
            assertThat(host().read(architecture.replace(Facts.DEVICES, Facts.CLASS)))
                    .isEqualTo(host().read(architecture));
        }
    }

    @Test
    void linkHasModeOfItsTarget() {
        String link = Facts.CLASS + "/neuron0";

        assertThat(host().tree().exists(link)).isTrue();
        assertThat(mode(link)).isEqualTo(mode(Facts.DEVICES + "/neuron0"));
        assertThat(host().tree().linkTarget(Facts.DEVICES + "/neuron0")).isEmpty();
    }

    @Test
    void classDirectoryHasExactlyPlatformAttributes() throws IOException {
        host().needs(Ability.KNOWN_LAYOUT);

        assertThat(host().tree().list(Facts.CLASS).stream().filter(name -> !name.matches("neuron[0-9]+")))
                .containsExactlyInAnyOrderElementsOf(host().layout().classAttributes(host().type(), version()))
                .allSatisfy(name -> {
                    assertThat(mode(Facts.CLASS + "/" + name)).isEqualTo("0444");
                    assertThat(host().read(Facts.CLASS + "/" + name)).matches(classAttribute(name));
                });
    }

    private static String classAttribute(String name) {
        return switch (name) {
            case "server_id_2", "server_id_4", "reservation_id" -> "[0-9a-f]{16}\n";
            // The file is empty on a standard platform up to 2.26.5, which has no modes.
            case "ultraserver_mode" -> "(busy|1,3,4|2,4|3,4|4)?\n";
            case "hbm_7200_capable" -> "(busy|0|1)\n";
            case "current_perf_profile" -> "(busy|init_error|-1|[0-9]+)\n";
            case "node_cnt" -> "[0-9]+\n";
            default -> "(busy|init_error|-1|[0-9]+)\n";
        };
    }

    private String version() throws IOException {
        return host().read("sys/module/neuron/version").strip();
    }

    @Test
    void everyDeviceHasItsNode() throws IOException {
        host().needs(Ability.KNOWN_TYPE);
        String[] nodes = IntStream.range(0, host().type().devices())
                .mapToObj(device -> "neuron" + device)
                .toArray(String[]::new);

        assertThat(host().tree().list(Facts.DEVICES)).containsExactlyInAnyOrder(nodes);
        assertThat(host().tree().list("dev")).contains(nodes);
    }

    @Test
    void missingPathsAreReportedAbsent() {
        for (String absent : new String[] {
            host().path("neuron0", "fw_api"),
            host().path("neuron99", "core_count"),
            host().path("neuron0/neuron_core99", "stats"),
            "sys/class/neuron"
        }) {
            assertThat(host().tree().exists(absent)).as(absent).isFalse();
            assertThat(host().tree().mode(absent)).as(absent).isEmpty();
            assertThat(host().tree().linkTarget(absent)).as(absent).isEmpty();
            assertThatThrownBy(() -> host().tree().read(absent)).isInstanceOf(NoSuchFileException.class);
            assertThatThrownBy(() -> host().tree().list(absent)).isInstanceOf(NoSuchFileException.class);
        }
    }

    @Test
    void aDirectoryIsNoFileAndAFileNoDirectory() {
        assertThatThrownBy(() -> host().tree().read(Facts.DEVICES)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> host().tree().list(host().path("neuron0", "core_count")))
                .isInstanceOf(NotDirectoryException.class);
    }

    @Test
    void moduleShowsVersionAndDmiShowsType() throws IOException {
        host().needs(Ability.KNOWN_LAYOUT);

        assertThat(host().layout().isOf(version())).isTrue();
        assertThat(host().read("sys/devices/virtual/dmi/id/product_name"))
                .isEqualTo(host().type().name() + "\n");
    }

    // ---- contents

    @Test
    void everyFileHasFormatOfDriver() {
        host().needs(Ability.KNOWN_LAYOUT);
        Map<String, DriverFile> files = new HashMap<>(host().files());
        files.values().removeIf(file -> (file.mode() & 0044) == 0 && !host().can(Ability.CLOSED_FILES));
        Map<String, String> wrong = new ConcurrentSkipListMap<>();

        var batch = host().tree().prepare(files.keySet().stream().toList());
        batch.read(new HostTree.Sink() {
            @Override
            public void content(int index, byte[] buffer, int length) {
                String content = new String(buffer, 0, length, StandardCharsets.UTF_8);
                DriverFile file = files.get(batch.path(index));
                if (!Formats.of(file.format()).matcher(content).matches()) {
                    wrong.put(batch.path(index), "not " + file.format() + ": " + content);
                }
            }

            @Override
            public void failed(int index, IOException cause) {
                wrong.put(batch.path(index), cause.toString());
            }
        });

        assertThat(batch.size()).isEqualTo(files.size());
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyDevicePrintsTheTextsOfItsType() throws IOException {
        host().needs(Ability.KNOWN_TYPE);
        var type = host().type();
        for (var device : host().discover().devices()) {
            String architecture = host().path(device.name(), "info/architecture/");
            assertThat(host().read(architecture + "arch_type")).isEqualTo(type.deviceArchitecture() + "\n");
            assertThat(host().read(architecture + "instance_type")).isEqualTo(type.family() + "\n");
            assertThat(host().read(architecture + "device_name")).isEqualTo(type.deviceName() + "\n");
            assertThat(host().read(host().path(device.name() + "/neuron_core0", "info/architecture/arch_type")))
                    .isEqualTo(type.coreArchitecture() + "\n");
        }
    }

    @Test
    void coreCountAndNeighboursAreFormattedLikeDriver() throws IOException {
        host().needs(Ability.KNOWN_TYPE, Ability.CLOSED_FILES);
        for (var device : host().discover().devices()) {
            assertThat(host().read(host().path(device.name(), "core_count")))
                    .isEqualTo(Integer.toString(host().type().coresPerDevice()));
            assertThat(host().read(host().path(device.name(), "connected_devices")))
                    .isEqualTo(host().type().connectedDevices().get(device.index()).stream()
                                    .map(String::valueOf)
                                    .collect(Collectors.joining(", "))
                            + "\n");
        }
    }

    @Test
    void theSerialNumberIsPaddedWithZeros() throws IOException {
        host().needs(Ability.SCRIPT);
        for (var device : host().fake().devices()) {
            assertThat(host().read(host().path(device, "info/serial_number")))
                    .hasSize(17)
                    .isEqualTo(device.serialNumber() + "\n");
        }
    }

    @Test
    void notificationsAreOffWhenTheDriverIsLoaded() throws IOException {
        host().needs(Ability.SCRIPT);

        assertThat(host().read(host().path("neuron0", "info/notify_delay"))).isEqualTo("-1\n");
    }
}
