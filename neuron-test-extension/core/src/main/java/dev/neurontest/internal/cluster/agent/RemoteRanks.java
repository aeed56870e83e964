package dev.neurontest.internal.cluster.agent;

import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.process.OutputFolder;
import dev.neurontest.workload.WorkloadResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apiguardian.api.API;

/** The programs of a test on a host, started by its agent. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RemoteRanks {

    private final AgentConnection agent;

    public RemoteRanks(RemoteHost host) {
        this.agent = host.agent();
    }

    /**
     * An address with free ports.
     *
     * @param address a name or address, the latter in brackets if it contains colons
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Root(String address, List<Integer> ports) {}

    /** The end of a program, before all of its output is read. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public final class End {

        private final long rank;
        private final RankCalls.Ended ended;

        private End(long rank, RankCalls.Ended ended) {
            this.rank = rank;
            this.ended = ended;
        }

        /** Returns the time of the end by {@link System#nanoTime} of this JVM. */
        public long nanos() {
            return agent.here(ended.endedNanos());
        }

        /** Returns whether the program ended as expected, or because it was stopped. */
        public boolean isExpected() {
            return ended.unmet().isEmpty();
        }

        /**
         * Reads the output of the program and writes it to files.
         *
         * @param folder an existing folder
         */
        public WorkloadResult result(Path folder) {
            List<String> remarks = new ArrayList<>(ended.notices());
            String stdout = output(false, ended.stdout(), ended.stdoutLength(), remarks);
            String stderr = output(true, ended.stderr(), ended.stderrLength(), remarks);
            Optional<Path> written = Optional.of(folder);
            try {
                Files.writeString(folder.resolve("stdout.log"), stdout);
                Files.writeString(folder.resolve("stderr.log"), stderr);
            } catch (IOException unwritten) {
                remarks.add("Its output could not be written to %s: %s".formatted(folder, unwritten));
                written = Optional.empty();
            }
            return ended.toResult(stdout, stderr, written, remarks);
        }

        private String output(boolean isError, String first, int length, List<String> remarks) {
            StringBuilder text = new StringBuilder(first);
            try {
                while (text.length() < length) {
                    String part = ask(new RankCalls.ReadOutput(rank, isError, text.length()))
                            .text();
                    if (part.isEmpty()) {
                        break;
                    }
                    text.append(part);
                }
            } catch (HostLostException | AgentException lost) {
                remarks.add("The rest of its %s was lost: %s"
                        .formatted(isError ? "standard error" : "standard output", lost.getMessage()));
            }
            return text.toString();
        }
    }

    private <R extends Record> R ask(Call<R> call) {
        try {
            return agent.ask(call);
        } catch (RuntimeException failed) {
            throw failed;
        } catch (Exception failed) {
            throw new AgentException(String.valueOf(failed.getMessage()));
        }
    }

    /** Returns a text that is equal for hosts with the same loopback interface. */
    public String network() {
        return ask(new RankCalls.ReadNetwork()).identity();
    }

    /**
     * Chooses an address of the host for rank 0.
     *
     * @param alone true if all ranks are in the network of this host
     * @param ports the number of free ports
     */
    public Root chooseRoot(boolean alone, int ports) {
        RankCalls.Root root = ask(new RankCalls.ChooseRoot(agent.host(), alone, ports));
        return new Root(root.address(), root.ports());
    }

    /**
     * Starts a program.
     *
     * @return its number at the agent
     * @throws AgentException if it cannot be started
     * @throws HostLostException if the host does not answer
     */
    public long start(Lease lease, RankCommand command) {
        return ask(new RankCalls.StartRank(lease.number(), command)).rank();
    }

    /** Returns the end of a program. It completes with a {@link HostLostException} when the connection ends before. */
    public CompletableFuture<End> end(long rank) {
        return agent.send(new RankCalls.AwaitRank(rank)).thenApply(ended -> new End(rank, ended));
    }

    /** Verifies that the agent answers. A connection without an answer ends. */
    public void requireAnswer() {
        ask(new HostCalls.ReadClock());
    }

    /**
     * Stops programs and waits for their ends.
     *
     * @throws HostLostException if the host does not answer
     */
    public void stop(Collection<Long> ranks) {
        ask(new RankCalls.StopRanks(List.copyOf(ranks)));
    }

    /** Deletes the files of ended programs on the host. */
    public void remove(Collection<Long> ranks) {
        ask(new RankCalls.RemoveRanks(List.copyOf(ranks)));
    }

    /**
     * Creates a folder for a program of a host.
     *
     * @param parent the folder of the test
     * @param host the name of the host, with any characters
     * @param rank the rank of the program
     */
    public static Path folder(Path parent, String host, int rank) throws IOException {
        String plain = host.replaceAll("[^A-Za-z0-9._-]+", "_").replaceFirst("^\\.+", "_");
        return OutputFolder.fresh(parent.resolve(plain.substring(0, Math.min(plain.length(), 70))), "rank-" + rank);
    }
}
