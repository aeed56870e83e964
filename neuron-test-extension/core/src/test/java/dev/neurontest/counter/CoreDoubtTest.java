package dev.neurontest.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.DriverVersion;
import dev.neurontest.device.Family;
import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.counter.tree.ScopeFixture;
import dev.neurontest.internal.counter.tree.TreeFixture;
import dev.neurontest.internal.device.driver.KnownNodes;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoreDoubtTest {

    private static final String CORE = "neuron0/neuron_core1 ";
    private static final String ECC = "neuron0 hardware/mem_ecc_uncorrected";

    private final TreeFixture tree = TreeFixture.host(1, 2);
    private final CounterScope scope = ScopeFixture.doubtful(tree, 1);

    @Test
    void quietCountersAreUndecided() {
        // when
        Judgement judgement = CounterExpectations.DEFAULT.judge(ScopeFixture.diff(scope, () -> {}));

        // then
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.undecided())
                .singleElement()
                .satisfies(open -> assertThat(open.reason())
                        .contains("may belong to other cores of the device: the dies may be flipped")
                        .contains("neuron.test.core.map"));
    }

    @Test
    void errorOfDoubtfulCoreIsUndecided() {
        // when
        Judgement judgement = CounterExpectations.DEFAULT.judge(
                ScopeFixture.diff(scope, () -> tree.count(CORE + "status/hw_error", 3)));

        // then
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.undecided()).extracting(Undecided::subject).containsExactly(CORE + "status/hw_error");
    }

    @Test
    void errorOfDeviceIsViolation() {
        // when
        Judgement judgement = CounterExpectations.DEFAULT.judge(ScopeFixture.diff(scope, () -> tree.put(ECC, "1\n")));

        // then
        assertThat(judgement.violations()).extracting(Violation::subject).containsExactly(ECC);
        assertThat(judgement.undecided()).hasSize(1);
    }

    @Test
    void isIgnoredWithoutExpectations() {
        // given
        CounterExpectations nothing =
                CounterExpectations.builder().errorsMustNotMove(false).build();

        // then
        assertThat(nothing.judge(ScopeFixture.diff(scope, () -> {})).undecided())
                .isEmpty();
    }

    @Test
    void suspicionIsNotAttributed() {
        // when
        CounterDiff diff = ScopeFixture.diff(scope, () -> tree.count(CORE + "status/hw_error", 3));

        // then
        assertThat(diff.hardwareSuspicions())
                .singleElement()
                .satisfies(suspicion -> assertThat(suspicion.attributed()).isFalse());
    }

    @Test
    void appliesOnlyToPartsOfDevice(@TempDir Path root) {
        // given the second node of an UltraServer with a runtime that may request another map
        HostFixture fixture = new HostFixture(root)
                .devices(HostFixture.Kind.TRN2, 0, 1)
                .file("sys/devices/virtual/dmi/id/product_name", "trn2u.48xlarge\n")
                .file("sys/module/neuron/version", "2.30.2.0\n")
                .file("sys/class/neuron_device/node_id_2", "1\n");
        for (int device = 0; device < 2; device++) {
            for (String place : places(false)) {
                fixture.sysfs("neuron%s/%s".formatted(device, place), "0\n");
            }
            for (int core = 0; core < 8; core++) {
                for (String place : places(true)) {
                    fixture.sysfs("neuron%s/neuron_core%s/%s".formatted(device, core, place), "0\n");
                }
            }
        }
        NeuronHost host = fixture.host();
        CounterScopes scopes = new CounterScopes(host);

        // then
        assertThat(judged(scopes.of(host.cores().subList(0, 1)))).isNotEmpty();
        assertThat(judged(scopes.of(host.cores().subList(0, 5)))).isNotEmpty();
        assertThat(judged(scopes.of(host.devices().get(1).cores()))).isEmpty();
        assertThat(judged(scopes.wholeHost())).isEmpty();
    }

    /** Returns the error counters of the driver and other files in the same places. */
    private static List<String> places(boolean ofCore) {
        return KnownNodes.of(ofCore, Optional.of(new DriverVersion("2.30.2.0")), Family.TRN2).stream()
                .flatMap(place -> place.startsWith("stats/status/")
                        ? Stream.of(place + "/total", place + "/present")
                        : Stream.of(place).filter(file -> file.matches("stats/hardware/[^/]+")))
                .toList();
    }

    private static List<Undecided> judged(CounterScope scope) {
        return CounterExpectations.DEFAULT
                .judge(ScopeFixture.diff(scope, () -> {}))
                .undecided();
    }
}
