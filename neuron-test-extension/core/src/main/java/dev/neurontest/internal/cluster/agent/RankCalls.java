package dev.neurontest.internal.cluster.agent;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;

import dev.neurontest.runtime.RuntimeCause;
import dev.neurontest.runtime.RuntimeLine;
import dev.neurontest.runtime.RuntimeReport;
import dev.neurontest.runtime.RuntimeStatus;
import dev.neurontest.workload.ChildEnd;
import dev.neurontest.workload.ExitCode;
import dev.neurontest.workload.WorkloadResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The calls for the programs of a test on a host, which are its ranks. */
final class RankCalls {

    /** Longest part of an output in one message. */
    static final int PART = 64 << 10;

    /** Longest part of a file in one message. */
    static final int FILE_PART = 3 << 20;

    private static final Duration ENDS_WITHIN = Duration.ofMinutes(1);

    private RankCalls() {}

    /** A text that is equal for agents that can reach each other over the loopback interface. */
    record Network(String identity) {}

    /** Reads the identity of the network of a host. */
    record ReadNetwork() implements Call<Network> {

        @Override
        public Class<Network> answer() {
            return Network.class;
        }

        @Override
        public Network on(HostAgent agent) {
            return new Network(RootAddress.network());
        }
    }

    /** An address of a host with free ports. */
    record Root(String address, List<Integer> ports) {}

    /**
     * Chooses the address under which the ranks of all hosts reach this one.
     *
     * @param host the name of the host in the cluster
     * @param alone true if all ranks are in the network of this host
     * @param ports the number of free ports
     */
    record ChooseRoot(String host, boolean alone, int ports) implements Call<Root> {

        @Override
        public Class<Root> answer() {
            return Root.class;
        }

        @Override
        public Root on(HostAgent agent) throws Exception {
            return new Root(
                    alone ? RootAddress.LOOPBACK : RootAddress.ofThisHost(host),
                    agent.ranks().freePorts(ports));
        }
    }

    /** The number of a rank at its agent. */
    record Started(long rank) {}

    /** Starts a program on cores of a lease. */
    record StartRank(long lease, RankCommand command) implements Call<Started> {

        @Override
        public Class<Started> answer() {
            return Started.class;
        }

        @Override
        public Started on(HostAgent agent) throws Exception {
            return new Started(agent.ranks().start(agent, lease, command));
        }
    }

    /** A line of the runtime, as {@link RuntimeLine}. */
    record ReportLine(
            String text,
            Optional<Integer> status,
            RuntimeStatus.Stage stage,
            Optional<Integer> device,
            Optional<Integer> core,
            Optional<Integer> logicalCore,
            Optional<Integer> rank,
            Optional<RuntimeCause> cause,
            Optional<String> serialNumber,
            Optional<String> action) {

        static ReportLine of(RuntimeLine line) {
            return new ReportLine(
                    line.text(),
                    line.status().map(RuntimeStatus::code),
                    line.stage(),
                    boxed(line.device()),
                    boxed(line.core()),
                    boxed(line.logicalCore()),
                    boxed(line.rank()),
                    line.cause(),
                    line.serialNumber(),
                    line.action());
        }

        RuntimeLine toLine() {
            return new RuntimeLine(
                    text,
                    status.map(RuntimeStatus::of),
                    stage,
                    unboxed(device),
                    unboxed(core),
                    unboxed(logicalCore),
                    unboxed(rank),
                    cause,
                    serialNumber,
                    action);
        }

        private static Optional<Integer> boxed(OptionalInt number) {
            return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
        }

        private static OptionalInt unboxed(Optional<Integer> number) {
            return number.map(OptionalInt::of).orElseGet(OptionalInt::empty);
        }
    }

    /**
     * The end of a rank, as {@link WorkloadResult}.
     *
     * @param endedNanos time of the end, by the clock of the agent that measures durations
     * @param stdout the first part of its standard output
     * @param stdoutLength the length of its kept standard output
     * @param stderr the first part of its standard error
     * @param stderrLength the length of its kept standard error
     */
    record Ended(
            long endedNanos,
            String name,
            List<String> command,
            long pid,
            String visibleCores,
            boolean simulated,
            ChildEnd.Cause cause,
            Optional<Integer> exitCode,
            Optional<String> unmet,
            boolean killed,
            Instant started,
            Duration duration,
            String stdout,
            int stdoutLength,
            String stderr,
            int stderrLength,
            List<ReportLine> report,
            boolean dgeNotifications,
            List<Long> survivors,
            List<String> stillOwned,
            List<String> notices) {

        static Ended of(long endedNanos, WorkloadResult result, List<String> notices) {
            return new Ended(
                    endedNanos,
                    result.name(),
                    result.command(),
                    result.pid(),
                    result.visibleCores(),
                    result.simulated(),
                    result.cause(),
                    result.exitCode().map(ExitCode::value),
                    result.unmet(),
                    result.killed(),
                    result.started(),
                    result.duration(),
                    part(result.stdout(), 0),
                    result.stdout().length(),
                    part(result.stderr(), 0),
                    result.stderr().length(),
                    result.report().lines().stream().map(ReportLine::of).toList(),
                    result.report().dgeNotifications(),
                    result.survivors(),
                    result.stillOwned(),
                    notices);
        }

        WorkloadResult toResult(String wholeStdout, String wholeStderr, Optional<Path> folder, List<String> remarks) {
            return new WorkloadResult(
                    name,
                    command,
                    pid,
                    visibleCores,
                    simulated,
                    cause,
                    exitCode.map(ExitCode::new),
                    unmet,
                    killed,
                    started,
                    duration,
                    wholeStdout,
                    wholeStderr,
                    folder,
                    new RuntimeReport(report.stream().map(ReportLine::toLine).toList(), dgeNotifications),
                    survivors,
                    stillOwned,
                    remarks);
        }
    }

    /** Returns the part of a text from a position, without half a character at its end. */
    static String part(String text, int from) {
        int end = Math.min(text.length(), from + PART);
        if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(Math.min(from, end), end);
    }

    /** Waits until a rank has ended. It is answered at the deadline of the rank at the latest. */
    record AwaitRank(long rank) implements Call<Ended> {

        @Override
        public Class<Ended> answer() {
            return Ended.class;
        }

        @Override
        public Ended on(HostAgent agent) {
            return agent.ranks().await(rank);
        }
    }

    /** A part of an output. */
    record Output(String text) {}

    /** Reads the next part of the output of an ended rank. */
    record ReadOutput(long rank, boolean isError, int from) implements Call<Output> {

        @Override
        public Class<Output> answer() {
            return Output.class;
        }

        @Override
        public Output on(HostAgent agent) {
            WorkloadResult result = agent.ranks().result(rank);
            return new Output(part(isError ? result.stderr() : result.stdout(), from));
        }
    }

    /**
     * A file of a rank.
     *
     * @param path its path in the folder
     * @param size its size in bytes
     * @param modified the time of its last change, by the clock of its host
     */
    record RankFile(List<String> path, long size, Instant modified) {}

    /**
     * The files in a folder of a rank.
     *
     * @param files the files, ordered by path
     * @param omitted the number of further files
     */
    record RankFolder(List<RankFile> files, int omitted) {}

    /** Lists the files in a folder of an ended rank. Links are not followed. */
    record ListRankFiles(long rank, String folder) implements Call<RankFolder> {

        static final int MOST = 20_000;

        @Override
        public Class<RankFolder> answer() {
            return RankFolder.class;
        }

        @Override
        public RankFolder on(HostAgent agent) throws IOException {
            Path root = agent.ranks().folder(rank, folder);
            try (Stream<Path> found = Files.find(root, Integer.MAX_VALUE, (file, is) -> is.isRegularFile())) {
                List<Path> kept = new ArrayList<>();
                int omitted = 0;
                for (Path file : (Iterable<Path>) found::iterator) {
                    if (kept.size() < MOST) {
                        kept.add(file);
                    } else {
                        omitted++;
                    }
                }
                kept.sort(Comparator.naturalOrder());
                List<RankFile> files = new ArrayList<>();
                for (Path file : kept) {
                    List<String> path = new ArrayList<>();
                    root.relativize(file).forEach(name -> path.add(name.toString()));
                    files.add(new RankFile(
                            path,
                            Files.size(file),
                            Files.getLastModifiedTime(file, NOFOLLOW_LINKS).toInstant()));
                }
                return new RankFolder(files, omitted);
            }
        }
    }

    /** A part of a file, in Base64. */
    record FilePart(String base64) {

        byte[] bytes() {
            return Base64.getDecoder().decode(base64);
        }
    }

    /** Reads the next part of a file of an ended rank. */
    record ReadRankFile(long rank, String folder, List<String> path, long from) implements Call<FilePart> {

        @Override
        public Class<FilePart> answer() {
            return FilePart.class;
        }

        @Override
        public FilePart on(HostAgent agent) throws IOException {
            Path file = agent.ranks().folder(rank, folder);
            for (String name : path) {
                file = file.resolve(name);
            }
            ByteBuffer part = ByteBuffer.allocate(FILE_PART);
            try (SeekableByteChannel channel = Files.newByteChannel(file, READ, NOFOLLOW_LINKS)) {
                channel.position(from);
                while (part.hasRemaining() && channel.read(part) >= 0) {}
            }
            part.flip();
            return new FilePart(new String(Base64.getEncoder().encode(part).array(), ISO_8859_1));
        }
    }

    /** Stops ranks that still run. */
    record StopRanks(List<Long> ranks) implements Call<Call.Done> {

        @Override
        public Class<Done> answer() {
            return Done.class;
        }

        @Override
        public Duration answersWithin() {
            return ENDS_WITHIN;
        }

        @Override
        public Done on(HostAgent agent) {
            agent.ranks().stop(ranks);
            return new Done();
        }
    }

    /** Removes the files of ended ranks. */
    record RemoveRanks(List<Long> ranks) implements Call<Call.Done> {

        @Override
        public Class<Done> answer() {
            return Done.class;
        }

        @Override
        public Done on(HostAgent agent) {
            agent.ranks().remove(ranks);
            return new Done();
        }
    }
}
