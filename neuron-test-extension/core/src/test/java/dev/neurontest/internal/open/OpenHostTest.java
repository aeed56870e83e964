package dev.neurontest.internal.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseObserver;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.Quarantine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests which table leases the cores of an open host, and whom it notifies. */
@EnabledOnOs(OS.LINUX)
class OpenHostTest {

    private static final LeaseRequest BOTH_CORES = new LeaseRequest("a test", List.of(CoreRequest.exactly(0, 1)));

    @TempDir
    Path root;

    @TempDir
    Path other;

    private final List<String> quarantined = new ArrayList<>();

    @BeforeEach
    void addDevice() {
        new HostFixture(root).devices(HostFixture.Kind.TRN1, 0);
    }

    private OpenHost open(String... more) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("neuron.test.platform", "root:" + root);
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        LeaseObserver observer = new LeaseObserver() {
            @Override
            public void quarantined(Quarantine quarantine) {
                quarantined.add(quarantine.core());
            }
        };
        return OpenHost.open(Settings.of(name -> Optional.ofNullable(settings.get(name))), observer, notice -> {});
    }

    @Test
    void sharesLeasesOfRootDirectory() throws InterruptedException {
        // given
        try (OpenHost host = open();
                OpenHost same = open();
                Lease held = host.leases().lease(BOTH_CORES, Duration.ZERO)) {

            // then
            assertThat(held.cores()).hasSize(2);
            assertThatExceptionOfType(LeaseTimeoutException.class)
                    .isThrownBy(() -> same.leases().lease(BOTH_CORES, Duration.ZERO));
        }
    }

    @Test
    void usesLeaseDirectoryFromSetting() throws InterruptedException {
        // given
        try (OpenHost host = open();
                OpenHost elsewhere = open("neuron.test.lease.directory", other.toString());
                Lease held = host.leases().lease(BOTH_CORES, Duration.ZERO);
                Lease also = elsewhere.leases().lease(BOTH_CORES, Duration.ZERO)) {

            // then
            assertThat(held.cores()).isEqualTo(host.platform().host().cores());
            assertThat(also.isOf(elsewhere.leases())).isTrue();
        }
    }

    @Test
    void doesNotShareLeasesOfFakeHost() throws InterruptedException {
        // given
        try (OpenHost host = open("neuron.test.platform", "fake:trn1.2xlarge");
                OpenHost another = open("neuron.test.platform", "fake:trn1.2xlarge");
                Lease held = host.leases().lease(BOTH_CORES, Duration.ZERO);
                Lease also = another.leases().lease(BOTH_CORES, Duration.ZERO)) {

            // then
            assertThat(held.isOf(host.leases())).isTrue();
            assertThat(also.isOf(another.leases())).isTrue();
        }
    }

    @Test
    void notifiesObserverOfQuarantine() throws InterruptedException {
        // given
        try (OpenHost host = open()) {
            Lease lease = host.leases().lease(BOTH_CORES, Duration.ZERO);

            // when
            lease.quarantine(lease.cores().subList(0, 1), Quarantine.Until.RESET, "a reason");

            // then
            assertThat(quarantined).containsExactly("neuron0/neuron_core0");
        }
    }

    @Test
    void refusesSettleIntervalLongerThanTimeout() {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> open("neuron.test.settle.interval", "2 s", "neuron.test.settle.timeout", "1 s"))
                .withMessageContainingAll("neuron.test.settle.interval is 2 s", "neuron.test.settle.timeout is 1 s");
    }
}
