package dev.neurontest.internal.cluster.agent;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.ImpossibleRequestException;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.lease.Leases;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.process.ProgramLock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The leases of a host, held by its agent. */
final class RemoteLeases implements Leases {

    private final AgentConnection agent;
    private final NeuronHost host;

    RemoteLeases(AgentConnection agent, NeuronHost host) {
        this.agent = agent;
        this.host = host;
    }

    private <R extends Record> R ask(Call<R> call) {
        try {
            return agent.ask(call);
        } catch (RuntimeException failed) {
            throw failed;
        } catch (Exception failed) {
            throw new AgentException(failed.getMessage());
        }
    }

    @Override
    public Lease lease(LeaseRequest request, Duration atMost) throws InterruptedException {
        if (!(request.cores().size() == 1 && request.cores().get(0) instanceof CoreRequest.InARow row)) {
            throw new IllegalArgumentException("an agent leases cores in a row, not " + request.description());
        }
        check(row);
        try {
            LeaseCalls.Granted granted =
                    agent.ask(new LeaseCalls.LeaseCores(request.holder(), row.count(), request.avoided(), atMost));
            RemoteLease lease = new RemoteLease(request.holder(), granted);
            if (Thread.interrupted()) {
                lease.close();
                throw new InterruptedException(agent.host() + ": interrupted while the cores were leased");
            }
            return lease;
        } catch (InterruptedException | RuntimeException failed) {
            throw failed;
        } catch (Exception failed) {
            throw new AgentException(failed.getMessage());
        }
    }

    @Override
    public void check(CoreRequest request) {
        if (request instanceof CoreRequest.InARow row
                && row.count() > host.cores().size()) {
            throw new ImpossibleRequestException("%s has %s cores, but the test requests %s on each host."
                    .formatted(agent.host(), host.cores().size(), row.count()));
        }
    }

    @Override
    public void check(LeaseRequest request, Collection<NeuronCore> taken) {
        request.cores().forEach(this::check);
    }

    @Override
    public void requireWell(String holder, Collection<NeuronCore> held) {
        ask(new LeaseCalls.RequireWell(holder, indices(held)));
    }

    @Override
    public List<String> outsiders(Collection<NeuronCore> cores) {
        return named(new LeaseCalls.ReadOutsiders(indices(cores)));
    }

    @Override
    public Map<Integer, List<String>> unleased(Collection<NeuronCore> cores) {
        try {
            return ask(new LeaseCalls.ReadUnleased(indices(cores))).byNumber();
        } catch (HostLostException lost) {
            // In this case the doubt about its lease makes the test undecided.
            return Map.of();
        }
    }

    @Override
    public void checkAgain() {
        ask(new LeaseCalls.CheckAgain());
    }

    private List<String> named(Call<LeaseCalls.Lines> call) {
        try {
            return ask(call).lines();
        } catch (HostLostException lost) {
            return List.of("a process with an unknown name: " + lost.getMessage());
        }
    }

    /** Keeps the leases; the agent releases all of them at its end. */
    @Override
    public void close() {}

    private static List<Integer> indices(Collection<NeuronCore> cores) {
        return cores.stream().map(NeuronCore::index).toList();
    }

    /** A lease held by the agent. After its host is lost, it is released as far as this JVM is concerned. */
    private final class RemoteLease implements Lease {

        private final String holder;
        private final LeaseCalls.Granted granted;
        private final List<List<NeuronCore>> cores;

        RemoteLease(String holder, LeaseCalls.Granted granted) {
            this.holder = holder;
            this.granted = granted;
            this.cores = List.of(granted.cores().stream().map(host.cores()::get).toList());
        }

        @Override
        public long number() {
            return granted.number();
        }

        @Override
        public String holder() {
            return holder;
        }

        @Override
        public String thread() {
            return granted.thread();
        }

        @Override
        public Instant since() {
            return granted.since();
        }

        @Override
        public Duration waited() {
            return granted.waited();
        }

        @Override
        public List<List<NeuronCore>> granted() {
            return cores;
        }

        /** Returns empty: the agent starts the programs of the host with the lock. */
        @Override
        public Optional<ProgramLock> programLock() {
            return Optional.empty();
        }

        /** Ignores the process; the agent registers its programs itself. */
        @Override
        public void startedProcess(ProcessHandle child) {}

        @Override
        public void endedProcess(ProcessHandle child) {}

        @Override
        public void quarantine(Collection<NeuronCore> some, Quarantine.Until until, String reason, String test) {
            try {
                ask(new LeaseCalls.QuarantineCores(number(), indices(some), until, reason, test));
            } catch (HostLostException lost) {
                // Other JVMs of that host find the lease of a killed agent, and its programs.
            }
        }

        @Override
        public void acquit(Collection<NeuronCore> some, String reason, String cause) {
            try {
                ask(new LeaseCalls.AcquitCores(number(), indices(some), reason, cause));
            } catch (HostLostException lost) {
                // The quarantine ends with the next health check of that host.
            }
        }

        @Override
        public long moment() {
            return ask(new LeaseCalls.ReadMoment(number())).moment();
        }

        @Override
        public boolean isOf(Object other) {
            return RemoteLeases.this == other;
        }

        @Override
        public List<String> neighbours(long moment) {
            return named(new LeaseCalls.ReadNeighbours(number(), moment));
        }

        @Override
        public Optional<String> doubt() {
            try {
                return ask(new LeaseCalls.ReadDoubt(number())).reason();
            } catch (HostLostException | LeaseTableException lost) {
                return Optional.ofNullable(lost.getMessage());
            }
        }

        @Override
        public void close() {
            try {
                ask(new LeaseCalls.ReleaseLease(number()));
            } catch (HostLostException lost) {
                // The agent releases all its leases when it ends, and other JVMs find those of a killed agent.
            }
        }

        @Override
        public String toString() {
            return "%s of %s leased by %s".formatted(cores(), agent.host(), holder);
        }
    }
}
