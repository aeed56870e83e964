package dev.neurontest.conformance;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of one behavior for every view of a host. The fake in process runs in every layout, on a small, a medium and a
 * larger machine. A directory runs in every layout on the small one, and with the newest on the others. Mounts and
 * replays run with three drivers on one machine, and with the newest on the larger one. With {@code
 * -Dneuron.test.platform=real} or {@code root:<directory>}, the suite runs on that host alone, and only reads unless
 * {@code -Dconformance.write=true} is given too.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("hosts")
@ExtendWith(JournalOnFailure.class)
class ConformanceIT {

    @Parameter
    private HostUnderTest host;

    static Stream<HostUnderTest> hosts() {
        return HostUnderTest.all();
    }

    /** Opens the host. JUnit closes it after the invocation. */
    @BeforeParameterizedClassInvocation
    static void open(HostUnderTest host) throws IOException {
        host.open();
    }

    @Nested
    class Files extends ShapeCases {
        @Override
        public HostUnderTest host() {
            return host;
        }
    }

    @Nested
    class Counters extends CounterCases {
        @Override
        public HostUnderTest host() {
            return host;
        }
    }

    @Nested
    class AWrite extends WriteCases {
        @Override
        public HostUnderTest host() {
            return host;
        }
    }

    @Nested
    class AReset extends ResetCases {
        @Override
        public HostUnderTest host() {
            return host;
        }
    }

    @Nested
    class ADevice extends PresenceCases {
        @Override
        public HostUnderTest host() {
            return host;
        }
    }

    @Nested
    class WithAFault extends FaultCases {
        @Override
        public HostUnderTest host() {
            return host;
        }
    }

    @Nested
    class Notification extends NotificationCases {
        @Override
        public HostUnderTest host() {
            return host;
        }
    }

    @Nested
    class Discovery extends DiscoveryCases {
        @Override
        public HostUnderTest host() {
            return host;
        }
    }
}
