package dev.neurontest.profile;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.output.OutputCollector;
import dev.neurontest.internal.profile.ProfilerContext;
import dev.neurontest.internal.profile.ProfilerObserver;
import dev.neurontest.internal.profile.tool.ProfilerTool;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A host with a profiler tool that is a shell script. The script records its call, writes the files of the real tool,
 * and prints a summary. A test may add commands that run before that and may end it.
 */
public final class ToolFixture {

    static final String UUID = "a0010203040506070809a0b0c0d0e0f0";
    static final String OTHER_UUID = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";

    /** A millisecond in picoseconds, the duration in the default summary. */
    private static final long MILLISECOND = 1_000_000_000L;

    private static final String NTFF = "opt/aws/neuron/bin/of.ntff";

    private final Path root;
    private final List<Integer> startedByTest = new ArrayList<>();
    private NeuronHost host;
    private List<NeuronCore> cores;
    private Map<String, String> environment = Map.of();
    private int recaptures;
    private OutputCollector outputs = OutputCollector.NONE;
    private ProfilerObserver observer = ProfilerObserver.NONE;
    final List<Profile> kept = new ArrayList<>();

    public ToolFixture(Path root) {
        this.root = root;
        this.host = new HostFixture(root.resolve("host"))
                .devices(HostFixture.Kind.TRN1, 0, 1)
                .host();
        this.cores = host.cores().subList(0, 2);
        write(NTFF, ntff(UUID));
        summary("{\"n_1\": {\"total_time\": 0.001, \"event_count\": 7, \"trace_count\": 9, \"hardware_flops\": 5}}");
        program("neuron-explorer", """
                here="%s/opt/aws/neuron/bin"
                echo "$1" >> "$here/calls"
                for word in "$@"; do printf '%%s\\n' "$word"; done > "$here/$1.arguments"
                env > "$here/$1.environment"
                pwd > "$here/$1.directory"
                case "$1" in
                --version)
                    echo "neuron-explorer 2.32.7.0%%kaena-tools/2.32@0000000 built on 2026-08-14T00:00:00Z" ;;
                capture)
                    session= total=1 nth=1 ranks=
                    while [ $# -gt 0 ]; do
                        case "$1" in
                        -s) session="${2%%.ntff}" ;;
                        --num-exec) total=$2 ;;
                        --profile-nth-exec) nth=$2 ;;
                        --collectives-workers-per-node) ranks=$(seq 0 $(($2 - 1))) ;;
                        --collectives-worker-start-id) first=$2 ;;
                        --collectives-profile-id) ranks=$2 first=0 ;;
                        esac
                        shift
                    done
                    %s
                    traces() {
                        exec=$nth
                        while [ $exec -le $total ]; do
                            if [ $exec -eq 1 ]; then cp "$here/of.ntff" "$1.ntff"; else cp "$here/of.ntff" "$1_exec_$exec.ntff"; fi
                            exec=$((exec + nth))
                        done
                    }
                    if [ -z "$ranks" ]; then traces "$session"; fi
                    for rank in $ranks; do traces "${session}_rank_$((rank + first))"; done
                    [ ! -f "$here/after-capture" ] || . "$here/after-capture" ;;
                view)
                    %s
                    cat "$here/summary" ;;
                esac
                """.formatted(root, hook("before-capture"), hook("before-view")));
    }

    private static String hook(String name) {
        return "[ ! -f \"$here/%1$s\" ] || . \"$here/%1$s\"".formatted(name);
    }

    /** Writes a script to the folder of the tools. */
    public Path program(String name, String script) {
        Path file = write("opt/aws/neuron/bin/" + name, ("#!/bin/sh\n" + script).getBytes(StandardCharsets.UTF_8));
        try {
            return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path write(String path, byte[] content) {
        try {
            Path file = root.resolve(path);
            Files.createDirectories(file.getParent());
            return Files.write(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void script(String name, String lines) {
        write("opt/aws/neuron/bin/" + name, lines.getBytes(StandardCharsets.UTF_8));
    }

    ToolFixture beforeCapture(String lines) {
        script("before-capture", lines);
        return this;
    }

    ToolFixture afterCapture(String lines) {
        script("after-capture", lines);
        return this;
    }

    ToolFixture beforeView(String lines) {
        script("before-view", lines);
        return this;
    }

    ToolFixture summary(String printed) {
        script("summary", printed);
        return this;
    }

    ToolFixture traces(byte[] ntff) {
        write(NTFF, ntff);
        return this;
    }

    ToolFixture holding(List<NeuronCore> held) {
        this.cores = held;
        return this;
    }

    ToolFixture on(NeuronHost other) {
        this.host = other;
        this.cores = other.cores();
        return this;
    }

    ToolFixture environment(Map<String, String> platform) {
        this.environment = platform;
        return this;
    }

    /** Sets the collector of the outputs of captures. */
    ToolFixture outputs(OutputCollector collector) {
        this.outputs = collector;
        return this;
    }

    ToolFixture recaptures(int atMost) {
        this.recaptures = atMost;
        return this;
    }

    ToolFixture startedByTest(int pid) {
        startedByTest.add(pid);
        return this;
    }

    ToolFixture observer(ProfilerObserver who) {
        this.observer = who;
        return this;
    }

    NeuronHost host() {
        return host;
    }

    public ProfilerTool.Search search() {
        return new ProfilerTool.Search(root, Optional.empty(), "", Map.of(), Patience.LIMIT);
    }

    public Path tool(String name) {
        return root.resolve("opt/aws/neuron/bin").resolve(name);
    }

    Path folder() {
        return root.resolve("out put");
    }

    Profiler profiler() {
        return new Profiler(
                new ProfilerContext(
                        () -> ProfilerTool.find(search()),
                        true,
                        host,
                        cores,
                        cores,
                        this::folder,
                        environment,
                        0.05,
                        recaptures,
                        Optional.empty(),
                        Set.of(),
                        outputs,
                        pid -> startedByTest.contains((int) pid),
                        observer),
                kept::add);
    }

    /** Creates a profiler with the tools and all cores of a fake host. */
    static Profiler ofFakeHost(Path fake, NeuronHost host, Path folder, Map<String, String> environment) {
        ProfilerTool.Search search = new ProfilerTool.Search(fake, Optional.empty(), "", Map.of(), Patience.LIMIT);
        return new Profiler(
                new ProfilerContext(
                        () -> ProfilerTool.find(search),
                        false,
                        host,
                        host.cores(),
                        host.cores(),
                        () -> folder,
                        environment,
                        0.05,
                        0,
                        Optional.empty(),
                        Set.of(),
                        OutputCollector.NONE,
                        pid -> false,
                        ProfilerObserver.NONE),
                profile -> {});
    }

    /** Returns the arguments of the last call of a subcommand, one a line. */
    List<String> arguments(String subcommand) {
        return lines(subcommand + ".arguments");
    }

    /** Returns the environment of the last call of a subcommand. */
    List<String> environmentOf(String subcommand) {
        return lines(subcommand + ".environment");
    }

    Path directoryOf(String subcommand) {
        return Path.of(lines(subcommand + ".directory").get(0));
    }

    /** Returns the called subcommands in order, without the queries of the version. */
    List<String> calls() {
        return lines("calls").stream().filter(call -> !call.equals("--version")).toList();
    }

    private List<String> lines(String file) {
        try {
            return Files.exists(tool(file)) ? Files.readAllLines(tool(file)) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path neff(String name) {
        return write("neffs/" + name, neff(name, UUID, 1));
    }

    static byte[] neff(String name, String uuid, int logicalCoreSize) {
        byte[] body = HeaderFixture.hex("1f8b0800000000000003");
        ByteBuffer neff =
                ByteBuffer.allocate(HeaderFixture.NEFF_HEAD + body.length).order(ByteOrder.LITTLE_ENDIAN);
        neff.putLong(0x00, 2);
        neff.putLong(0x08, HeaderFixture.NEFF_HEAD);
        neff.putLong(0x10, body.length);
        neff.putLong(0x18, 1);
        neff.put(0xac, HeaderFixture.hex(uuid));
        neff.put(0xcc, HeaderFixture.hex(uuid));
        neff.put(0xdc, name.getBytes(StandardCharsets.UTF_8));
        neff.putLong(0x228, logicalCoreSize);
        neff.put(HeaderFixture.NEFF_HEAD, body);
        return neff.array();
    }

    static byte[] ntff(String uuid) {
        return ntff(uuid, "2.27.23");
    }

    static byte[] ntff(String uuid, String runtime) {
        return HeaderFixture.ntff(
                5,
                new HeaderFixture.Message()
                        .text(1, "file.neff")
                        .bytes(2, HeaderFixture.hex(uuid + "541a01fcf572"))
                        .message(
                                4,
                                new HeaderFixture.Message()
                                        .message(
                                                4,
                                                new HeaderFixture.Message()
                                                        .message(
                                                                1,
                                                                new HeaderFixture.Message()
                                                                        .text(1, "sg00")
                                                                        .number(14, MILLISECOND))))
                        .message(8, HeaderFixture.version(runtime))
                        .toBytes(),
                64);
    }
}
