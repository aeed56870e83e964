package dev.neurontest.internal.cluster.agent;

import dev.neurontest.internal.cluster.agent.FileCalls.Attributes;
import dev.neurontest.internal.cluster.agent.FileCalls.Content;
import dev.neurontest.internal.cluster.agent.FileCalls.Entry;
import dev.neurontest.internal.cluster.agent.FileCalls.Reading;
import dev.neurontest.internal.cluster.agent.FileCalls.Walked;
import dev.neurontest.internal.host.DeviceNumber;
import dev.neurontest.internal.host.EntryKind;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The files of a host, read by its agent. */
final class RemoteTree implements HostTree {

    private final AgentConnection agent;

    /** The entries of one walk or look; null if the host is asked each time. */
    private final @Nullable Known known;

    /**
     * Entries of the host by path: names in directories, kinds, attributes and contents.
     *
     * @param walked true if all below the directories is known
     */
    private record Known(
            boolean walked,
            Map<String, List<String>> names,
            Map<String, EntryKind> kinds,
            Map<String, Attributes> attributes,
            Map<String, Content> contents) {

        @Nullable
        EntryKind kind(String path) {
            return names.containsKey(path) ? EntryKind.DIRECTORY : kinds.get(path);
        }

        static Known of(Walked walked) {
            return new Known(true, walked.directories(), walked.kinds(), Map.of(), Map.of());
        }

        static Known of(FileCalls.ReadEntries call, List<Entry> entries) {
            Known known = new Known(false, new HashMap<>(), Map.of(), new HashMap<>(), new HashMap<>());
            Iterator<Entry> answer = entries.iterator();
            for (String directory : call.directories()) {
                answer.next().names().ifPresent(names -> known.names.put(directory, names));
            }
            for (String path : call.paths()) {
                Entry entry = answer.next();
                entry.attributes().ifPresent(attributes -> known.attributes.put(path, attributes));
                entry.content().ifPresent(content -> known.contents.put(path, new Content(content)));
            }
            return known;
        }
    }

    RemoteTree(AgentConnection agent) {
        this(agent, null);
    }

    private RemoteTree(AgentConnection agent, @Nullable Known known) {
        this.agent = agent;
        this.known = known;
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
        Content content = known == null ? null : known.contents().get(path);
        return (content != null ? content : ask(new FileCalls.ReadFile(path, Optional.empty()))).toBytes();
    }

    @Override
    public byte[] read(String path, Duration atMost) throws IOException {
        return ask(new FileCalls.ReadFile(path, Optional.of(atMost))).toBytes();
    }

    @Override
    public void write(String path, byte[] content) throws IOException {
        ask(new FileCalls.WriteFile(path, Content.of(content).bytes()));
    }

    @Override
    public List<String> list(String directory) throws IOException {
        List<String> names = known == null ? null : known.names().get(directory);
        // Only the host knows why a directory is not listed.
        return names == null ? ask(new FileCalls.ListNames(directory)).names() : names;
    }

    private Optional<Attributes> attributes(String path) {
        Attributes seen = known == null ? null : known.attributes().get(path);
        if (seen != null) {
            return Optional.of(seen);
        }
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
        EntryKind kind = known == null ? null : known.kind(path);
        return kind == null ? attributes(path).flatMap(Attributes::kind) : Optional.of(kind);
    }

    @Override
    public Optional<DeviceNumber> deviceNumber(String path) {
        return attributes(path).flatMap(Attributes::deviceNumber);
    }

    @Override
    public HostTree forWalk(Collection<String> directories) {
        if (known != null && known.walked() && known.names().keySet().containsAll(directories)) {
            return this;
        }
        try {
            return new RemoteTree(agent, Known.of(ask(new FileCalls.WalkDirectories(List.copyOf(directories)))));
        } catch (IOException failed) {
            return this;
        }
    }

    @Override
    public HostTree forEntries(Collection<String> directories, Collection<String> paths) {
        FileCalls.ReadEntries call = new FileCalls.ReadEntries(List.copyOf(directories), List.copyOf(paths));
        try {
            return new RemoteTree(agent, Known.of(call, ask(call).entries()));
        } catch (IOException | NoSuchElementException failed) {
            // Each entry is asked for again, which fails for the same reason.
            return this;
        }
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
                byte[] content = new Content(reading.bytes().get()).toBytes();
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
