package dev.neurontest.internal.cluster.agent;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.Quarantine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The calls for the leases of a host. Cores are named by their indices, leases by their numbers in the table of the host. */
final class LeaseCalls {

    /** Time for an answer besides the wait for cores. Health checks of quarantined cores may reset a device. */
    private static final Duration HEALTH_CHECK = Duration.ofMinutes(15);

    private LeaseCalls() {}

    /** A lease in the table of the host. */
    record Granted(long number, String thread, Instant since, Duration waited, List<Integer> cores) {}

    /** Waits for cores with consecutive indices and leases them. */
    record LeaseCores(String holder, int count, List<Integer> avoided, Duration atMost) implements Call<Granted> {

        @Override
        public Class<Granted> answer() {
            return Granted.class;
        }

        @Override
        public Duration answersWithin() {
            return atMost.plus(HEALTH_CHECK);
        }

        @Override
        public Granted on(HostAgent agent) throws InterruptedException {
            Lease lease = agent.host()
                    .leases()
                    .lease(
                            new LeaseRequest(holder, List.of(CoreRequest.inARow(count)), avoided, List.of(), false),
                            atMost);
            agent.add(lease);
            return new Granted(
                    lease.number(),
                    lease.thread(),
                    lease.since(),
                    lease.waited(),
                    lease.cores().stream().map(NeuronCore::index).toList());
        }
    }

    /** Releases a lease. */
    record ReleaseLease(long lease) implements Call<Call.Done> {

        @Override
        public Class<Done> answer() {
            return Done.class;
        }

        @Override
        public Duration answersWithin() {
            return HEALTH_CHECK;
        }

        @Override
        public Done on(HostAgent agent) {
            agent.lease(lease).close();
            return new Done();
        }
    }

    /** A moment of the table. */
    record Moment(long moment) {}

    /** Reads the current moment of the table. */
    record ReadMoment(long lease) implements Call<Moment> {

        @Override
        public Class<Moment> answer() {
            return Moment.class;
        }

        @Override
        public Moment on(HostAgent agent) {
            return new Moment(agent.lease(lease).moment());
        }
    }

    record Lines(List<String> lines) {}

    /** Reads the other users of the devices of a lease since a moment. */
    record ReadNeighbours(long lease, long moment) implements Call<Lines> {

        @Override
        public Class<Lines> answer() {
            return Lines.class;
        }

        @Override
        public Lines on(HostAgent agent) {
            return new Lines(agent.lease(lease).neighbours(moment));
        }
    }

    record Reason(Optional<String> reason) {}

    /** Reads why another test might have had the cores of a lease. */
    record ReadDoubt(long lease) implements Call<Reason> {

        @Override
        public Class<Reason> answer() {
            return Reason.class;
        }

        @Override
        public Reason on(HostAgent agent) {
            return new Reason(agent.lease(lease).doubt());
        }
    }

    /** Puts cores of a lease into quarantine. */
    record QuarantineCores(long lease, List<Integer> cores, Quarantine.Until until, String reason, String test)
            implements Call<Call.Done> {

        @Override
        public Class<Done> answer() {
            return Done.class;
        }

        @Override
        public Done on(HostAgent agent) {
            agent.lease(lease).quarantine(agent.cores(cores), until, reason, test);
            return new Done();
        }
    }

    /** Ends quarantines of a lease whose reason was wrong. */
    record AcquitCores(long lease, List<Integer> cores, String reason, String cause) implements Call<Call.Done> {

        @Override
        public Class<Done> answer() {
            return Done.class;
        }

        @Override
        public Done on(HostAgent agent) {
            agent.lease(lease).acquit(agent.cores(cores), reason, cause);
            return new Done();
        }
    }

    /** Reads which processes have devices open without a lease. */
    record ReadOutsiders(List<Integer> cores) implements Call<Lines> {

        @Override
        public Class<Lines> answer() {
            return Lines.class;
        }

        @Override
        public Lines on(HostAgent agent) {
            return new Lines(agent.host().leases().outsiders(agent.cores(cores)));
        }
    }

    record ByDevice(Map<String, List<String>> processes) {

        Map<Integer, List<String>> byNumber() {
            Map<Integer, List<String>> byNumber = new TreeMap<>();
            processes.forEach((device, names) -> byNumber.put(Integer.valueOf(device), names));
            return byNumber;
        }
    }

    /** Reads which processes of this user have devices open and belong to no lease. */
    record ReadUnleased(List<Integer> cores) implements Call<ByDevice> {

        @Override
        public Class<ByDevice> answer() {
            return ByDevice.class;
        }

        @Override
        public ByDevice on(HostAgent agent) {
            Map<String, List<String>> named = new TreeMap<>();
            agent.host()
                    .leases()
                    .unleased(agent.cores(cores))
                    .forEach((device, processes) -> named.put(String.valueOf(device), processes));
            return new ByDevice(named);
        }
    }

    /** Verifies that cores are not in quarantine. */
    record RequireWell(String holder, List<Integer> cores) implements Call<Call.Done> {

        @Override
        public Class<Done> answer() {
            return Done.class;
        }

        @Override
        public Done on(HostAgent agent) {
            agent.host().leases().requireWell(holder, agent.cores(cores));
            return new Done();
        }
    }

    /** Repeats the health checks of cores in quarantine. */
    record CheckAgain() implements Call<Call.Done> {

        @Override
        public Class<Done> answer() {
            return Done.class;
        }

        @Override
        public Duration answersWithin() {
            return HEALTH_CHECK;
        }

        @Override
        public Done on(HostAgent agent) {
            agent.host().leases().checkAgain();
            return new Done();
        }
    }
}
