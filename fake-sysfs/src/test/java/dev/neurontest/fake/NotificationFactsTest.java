package dev.neurontest.fake;

import static dev.neurontest.fake.HostFixture.DEVICES;
import static dev.neurontest.fake.HostFixture.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FactsFixture.FactFile;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the files of each layout notify as the facts specify. */
class NotificationFactsTest {

    static Stream<Arguments> hosts() {
        return FactsFixture.everyLayoutName().stream()
                .flatMap(layout -> Stream.of("inf2.xlarge", "trn2.3xlarge")
                        .filter(type -> FactsFixture.exists(layout, type))
                        .map(type -> Arguments.of(layout, type)));
    }

    private static FakeNeuronHost start(String layout, String instance) {
        return FakeNeuronHost.builder()
                .instance(instance)
                .layout(layout)
                .resetDuration(Duration.ZERO)
                .start();
    }

    /** Returns the files with facts that match the predicate, by their path below the devices' directory. */
    private static Set<String> files(String layout, String instance, Predicate<FactFile> which) {
        return FactsFixture.files(layout, instance).entrySet().stream()
                .filter(file -> which.test(file.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Every file of the facts, open and read. */
    private record Pollers(Map<String, FakeDescriptor> descriptors) implements AutoCloseable {

        static Pollers of(FakeNeuronHost host) throws IOException {
            Map<String, FakeDescriptor> descriptors = new TreeMap<>();
            for (String file :
                    FactsFixture.files(host.layout(), host.instanceType()).keySet()) {
                descriptors.put(file, host.tree().open(DEVICES + file, FakeAccess.READ));
            }
            Pollers pollers = new Pollers(descriptors);
            assertThat(pollers.woken()).isEqualTo(descriptors.keySet());
            return pollers;
        }

        /** Returns the signalled files and reads them, to reset their signals. */
        Set<String> woken() throws IOException {
            Set<String> woken = new TreeSet<>();
            for (Map.Entry<String, FakeDescriptor> descriptor : descriptors.entrySet()) {
                if (descriptor.getValue().signalled()) {
                    woken.add(descriptor.getKey());
                    descriptor.getValue().read();
                }
            }
            return woken;
        }

        @Override
        public void close() {
            descriptors.values().forEach(FakeDescriptor::close);
        }
    }

    /** Moves every counter of the first core and of its device, and every other value that changes. */
    private static void moveEverything(FakeNeuronHost host) throws IOException {
        FakeCore core = host.device(0).core(0);
        for (String status : host.tree().list(host.place(DEVICES + core + "/stats/status"))) {
            core.fault(Fault.statusRises(status, 1)).close();
        }
        try (FakeProcess process = host.openProcess(core)) {
            process.load(core, 4096);
            process.execute(core);
            for (String category : host.tree().list(host.place(DEVICES + core + "/stats/memory_usage/device_mem"))) {
                if (!Set.of("total", "present", "peak").contains(category)) {
                    process.allocate(core, category, 4096);
                }
            }
            for (String category : host.tree().list(host.place(DEVICES + "neuron0/stats/memory_usage/host_mem"))) {
                process.allocateHost(core, category, 4096);
            }
        }
        host.device(0).failNextReset();
        write(host, "neuron0/reset", "1");
        host.tree().read(DEVICES + "neuron0/reset");
        host.device(0).ecc("sram_uncorrected", 1);
        host.device(0).ecc("mem_uncorrected", 1);
        host.device(0).drawPower(50);
    }

    private static boolean ofTheFirstCore(String path) {
        return path.startsWith("neuron0/") && !path.matches("neuron0/(cores/)?neuron_core[1-9].*");
    }

    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("hosts")
    void changesWakePollersAsTheFactsState(String layout, String instance) throws IOException {
        try (FakeNeuronHost host = start(layout, instance);
                Pollers pollers = Pollers.of(host)) {
            write(host, "neuron0/info/notify_delay", "0");
            pollers.woken();

            // when
            moveEverything(host);

            // then: a reset covers all cores
            Set<String> expected = files(
                    layout,
                    instance,
                    file -> file.notified().startsWith("change")
                            || file.notified().startsWith("always"));
            expected.removeIf(path -> !ofTheFirstCore(path));
            Set<String> woken = pollers.woken();
            Set<String> ofOthers =
                    woken.stream().filter(path -> !ofTheFirstCore(path)).collect(Collectors.toSet());
            woken.removeAll(ofOthers);
            assertThat(woken).isEqualTo(expected);
            assertThat(ofOthers).isNotEmpty().allMatch(path -> path.contains("reset_") || path.contains("/host_mem/"));
        }
    }

    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("hosts")
    void changesWakeOnlyAlwaysNotifiedFilesWhileOff(String layout, String instance) throws IOException {
        try (FakeNeuronHost host = start(layout, instance);
                Pollers pollers = Pollers.of(host)) {
            // when
            moveEverything(host);

            // then
            assertThat(pollers.woken())
                    .isEqualTo(files(layout, instance, file -> file.notified().startsWith("always")));
        }
    }

    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("hosts")
    void writesWakeTheWrittenFileAlone(String layout, String instance) throws IOException {
        Set<String> notified = files(layout, instance, file -> file.notified().endsWith("write"));
        Set<String> writable = files(layout, instance, file -> (file.mode() & 0200) != 0);
        try (FakeNeuronHost host = start(layout, instance);
                Pollers pollers = Pollers.of(host)) {
            write(host, "neuron0/info/notify_delay", "0\n");
            assertThat(pollers.woken()).containsExactly("neuron0/info/notify_delay");
            for (String file : writable) {
                boolean reset = file.endsWith("/reset");
                if (!reset) {
                    // when
                    write(host, file, "anything");

                    // then
                    assertThat(pollers.woken()).as(file).containsExactly(file);
                }
            }
            assertThat(notified).hasSize(writable.size() - 1).doesNotContain("neuron0/reset");
        }
    }

    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("hosts")
    void writesNotifyNothingWhileNotificationsAreOff(String layout, String instance) throws IOException {
        try (FakeNeuronHost host = start(layout, instance);
                Pollers pollers = Pollers.of(host)) {
            // when
            for (String file : files(layout, instance, file -> (file.mode() & 0200) != 0)) {
                write(host, file, "anything");
            }

            // then
            assertThat(pollers.woken()).isEmpty();
        }
    }
}
