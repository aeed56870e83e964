package dev.neurontest.internal.cluster.agent;

import dev.neurontest.internal.cluster.agent.FileCalls.Attributes;
import dev.neurontest.internal.cluster.agent.FileCalls.Reading;
import dev.neurontest.internal.cluster.agent.FileCalls.Walked;
import dev.neurontest.internal.host.DeviceNumber;
import dev.neurontest.internal.host.EntryKind;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The files of a host, read by its agent. */
final class RemoteTree implements HostTree {

    private final AgentConnection agent;

    /** The directories listed in one walk, with all below them; null if each is listed again. */
    private final @Nullable Walked walked;

    RemoteTree(AgentConnection agent) {
        this(agent, null);
    }

    private RemoteTree(AgentConnection agent, @Nullable Walked walked) {
        this.agent = agent;
        this.walked = walked;
    }

    @Override
    public String name() {
        return agent.host();
    }

    @Override
    public String location(String path) {
        return agent.host() + ":" + agent.root() + path;
    }

    /** A call that reads a file. A host that is lost cannot be read, as a file that does not answer. */
    private <R extends Record> R ask(Call<R> call) throws IOException {
        try {
            return agent.ask(call);
        } catch (HostLostException lost) {
            throw new IOException(lost.getMessage(), lost);
        } catch (IOException | RuntimeException failed) {
            throw failed;
        } catch (Exception other) {
            throw new IOException(other);
        }
    }

    @Override
    public Optional<String> lost() {
        return Optional.ofNullable(agent.lost()).map(HostLostException::getMessage);
    }

    @Override
    public byte[] read(String path) throws IOException {
        return ask(new FileCalls.ReadFile(path, Optional.empty())).toBytes();
    }

    @Override
    public byte[] read(String path, Duration atMost) throws IOException {
        return ask(new FileCalls.ReadFile(path, Optional.of(atMost))).toBytes();
    }

    @Override
    public void write(String path, byte[] content) throws IOException {
        ask(new FileCalls.WriteFile(path, FileCalls.Content.of(content).bytes()));
    }

    @Override
    public List<String> list(String directory) throws IOException {
        if (walked == null) {
            return ask(new FileCalls.ListNames(directory)).names();
        }
        if (!walked.directories().containsKey(directory)) {
            Walked below = ask(new FileCalls.WalkDirectory(directory));
            walked.directories().putAll(below.directories());
            walked.kinds().putAll(below.kinds());
        }
        List<String> names = walked.directories().get(directory);
        // Only the host knows why a directory is not listed.
        return names == null ? ask(new FileCalls.ListNames(directory)).names() : names;
    }

    private Optional<Attributes> attributes(String path) {
        try {
            return Optional.of(ask(new FileCalls.ReadAttributes(path)));
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }

    @Override
    public boolean exists(String path) {
        return attributes(path).filter(Attributes::exists).isPresent();
    }

    @Override
    public OptionalInt mode(String path) {
        return attributes(path).map(Attributes::modeBits).orElseGet(OptionalInt::empty);
    }

    @Override
    public Optional<String> linkTarget(String path) {
        return attributes(path).flatMap(Attributes::linkTarget);
    }

    @Override
    public List<String> linkTargets(String directory) {
        try {
            return ask(new FileCalls.ReadLinks(directory)).names();
        } catch (IOException unlisted) {
            return List.of();
        }
    }

    @Override
    public Optional<String> identity(String path) {
        return attributes(path).flatMap(Attributes::identity);
    }

    @Override
    public Optional<EntryKind> kind(String path) {
        EntryKind known = walked == null ? null : walked.kinds().get(path);
        return known == null ? attributes(path).flatMap(Attributes::kind) : Optional.of(known);
    }

    @Override
    public Optional<DeviceNumber> deviceNumber(String path) {
        return attributes(path).flatMap(Attributes::deviceNumber);
    }

    @Override
    public HostTree forWalk() {
        return new RemoteTree(agent, new Walked(new HashMap<>(), new HashMap<>()));
    }

    @Override
    public Batch prepare(List<String> paths) {
        return new RemoteBatch(List.copyOf(paths));
    }

    /** A batch of files. The agent prepares it at the first reading, and again when it no longer has it. */
    private final class RemoteBatch implements Batch {

        private final List<String> paths;
        private @Nullable Long number;

        RemoteBatch(List<String> paths) {
            this.paths = paths;
        }

        @Override
        public int size() {
            return paths.size();
        }

        @Override
        public String path(int index) {
            return paths.get(index);
        }

        @Override
        public Batch part(int[] positions) {
            return new RemoteBatch(Arrays.stream(positions).mapToObj(paths::get).toList());
        }

        @Override
        public void read(Sink sink) {
            List<Reading> readings;
            try {
                readings = readings();
            } catch (IOException lost) {
                for (int index = 0; index < size(); index++) {
                    sink.failed(index, lost);
                }
                return;
            }
            for (int index = 0; index < size(); index++) {
                pass(readings.get(index), index, sink);
            }
        }

        private void pass(Reading reading, int index, Sink sink) {
            if (reading.bytes().isPresent()) {
                byte[] content = new FileCalls.Content(reading.bytes().get()).toBytes();
                sink.content(index, content, content.length);
                return;
            }
            Exception failed = reading.failure()
                    .map(failure -> failure.on(agent.host()))
                    .orElseGet(() -> new IOException(location(path(index)) + " was not read"));
            sink.failed(
                    index,
                    failed instanceof IOException refused ? refused : new IOException(failed.getMessage(), failed));
        }

        private synchronized List<Reading> readings() throws IOException {
            if (paths.isEmpty()) {
                return List.of();
            }
            for (int attempt = 0; attempt < 2; attempt++) {
                if (number == null) {
                    number = ask(new FileCalls.PrepareFiles(paths)).batch();
                }
                List<Reading> readings = ask(new FileCalls.ReadFiles(number)).readings();
                if (readings.size() == size()) {
                    return readings;
                }
                number = null;
            }
            throw new IOException(agent.host() + ": the agent answered with another number of files than requested");
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RemoteTree tree && agent == tree.agent;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(agent);
    }

    @Override
    public String toString() {
        return name();
    }
}
