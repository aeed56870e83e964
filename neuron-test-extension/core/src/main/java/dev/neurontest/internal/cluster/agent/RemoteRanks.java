package dev.neurontest.internal.cluster.agent;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.process.OutputFolder;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.workload.WorkloadResult;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** The programs of a test on a host, started by its agent. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RemoteRanks {

    /** Maximum size of the files of all programs. Traces of a long run could fill the disk of this machine. */
    public static final long MOST_BYTES = 8L << 30;

    private static final int LONGEST_NAME = 70;
    private static final int MOST_NAMED = 3;
    private static final Pattern PLAIN_NAME = Pattern.compile("(?!\\.{1,2}$)[^/\\x00-\\x1f\\x7f]{1,255}");

    private final AgentConnection agent;

    public RemoteRanks(RemoteHost host) {
        this.agent = host.agent();
    }

    /**
     * An address with free ports.
     *
     * @param address a name or address
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
         * @param parent the folder of the test
         * @param number the rank of the program
         */
        public WorkloadResult result(Supplier<Path> parent, int number) {
            List<String> remarks = new ArrayList<>(ended.notices());
            String stdout = output(false, ended.stdout(), ended.stdoutLength(), remarks);
            String stderr = output(true, ended.stderr(), ended.stderrLength(), remarks);
            Optional<Path> folder = Optional.empty();
            try {
                Path created = folder(parent.get(), agent.host(), number);
                Files.writeString(created.resolve("stdout.log"), stdout);
                Files.writeString(created.resolve("stderr.log"), stderr);
                folder = Optional.of(created);
            } catch (IOException | UncheckedIOException unwritten) {
                remarks.add("Its output could not be written to files: " + unwritten);
            }
            return ended.toResult(stdout, stderr, folder, remarks);
        }

        /**
         * Copies the files in a folder of the program to this JVM.
         *
         * @param name the name of the folder
         * @param to a new folder for them
         * @param remaining the bytes that may still be brought over; reduced by those that are
         * @return why files are missing; empty if all were brought over
         */
        public Optional<String> bring(String name, Path to, AtomicLong remaining) {
            try {
                RankCalls.RankFolder files = ask(new RankCalls.ListRankFiles(rank, name));
                Files.createDirectory(to);
                List<String> omitted = new ArrayList<>();
                for (RankCalls.RankFile file : files.files()) {
                    if (remaining.addAndGet(-file.size()) < 0) {
                        remaining.addAndGet(file.size());
                        omitted.add("%s with %s"
                                .formatted(String.join("/", file.path()), new Quantity(file.size(), Unit.BYTES)));
                    } else {
                        bring(name, file, to);
                    }
                }
                if (files.omitted() > 0) {
                    omitted.add(CountText.of(files.omitted(), "further file"));
                }
                return omitted.isEmpty()
                        ? Optional.empty()
                        : Optional.of(
                                "not brought over from %s, beyond %s GiB for a workload and %s files for a program: %s"
                                        .formatted(
                                                agent.host(),
                                                MOST_BYTES >> 30,
                                                RankCalls.ListRankFiles.MOST,
                                                ListText.some(omitted, MOST_NAMED)));
            } catch (HostLostException | AgentException lost) {
                return Optional.of(String.valueOf(lost.getMessage()));
            } catch (IOException | IllegalArgumentException unwritten) {
                return Optional.of(
                        "the files of %s could not be written to %s: %s".formatted(agent.host(), to, unwritten));
            }
        }

        private void bring(String folder, RankCalls.RankFile file, Path to) throws IOException {
            Path target = target(to, file.path());
            Files.createDirectories(target.getParent());
            try (OutputStream out = Files.newOutputStream(target, CREATE_NEW, WRITE)) {
                long from = 0;
                while (from < file.size()) {
                    byte[] part = ask(new RankCalls.ReadRankFile(rank, folder, file.path(), from))
                            .bytes();
                    if (part.length == 0) {
                        throw new IOException("%s ended after %s of %s bytes"
                                .formatted(String.join("/", file.path()), from, file.size()));
                    }
                    out.write(part);
                    from += part.length;
                }
            }
            // The order of the files of a program is that of their times.
            Files.setLastModifiedTime(target, FileTime.from(file.modified()));
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

    /** Returns where a file is written. A host must not choose a path outside of the folder. */
    static Path target(Path folder, List<String> path) throws IOException {
        Path target = folder;
        for (String name : path) {
            if (!PLAIN_NAME.matcher(name).matches()) {
                throw new IOException("\"%s\" is no name of a file".formatted(VisibleText.line(name)));
            }
            target = target.resolve(name);
        }
        return target;
    }

    /** Creates a folder for a program of a host, whose name may have any characters. */
    static Path folder(Path parent, String host, int rank) throws IOException {
        String plain = host.replaceAll("[^A-Za-z0-9._-]+", "_").replaceFirst("^\\.*$|^\\.+", "_");
        return OutputFolder.fresh(
                parent.resolve(plain.substring(0, Math.min(plain.length(), LONGEST_NAME))), "rank-" + rank);
    }
}
