package dev.neurontest.fake.internal.profiler.capture;

import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.profiler.call.Chip;
import dev.neurontest.fake.internal.profiler.call.Effect;
import dev.neurontest.fake.internal.profiler.call.Work;
import dev.neurontest.fake.internal.profiler.ntff.Ntff;
import dev.neurontest.fake.internal.profiler.ntff.TraceProperties;
import dev.neurontest.fake.internal.tool.ToolRelease;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/** Builder of the traces of a call. */
final class Trace {

    private static final int MOST_RECORDS = 4096;

    /**
     * Fraction of the time in which the second physical core of a logical core runs. It may be nearly idle: it ran 7.9 of 26.4
     * microseconds in a genuine trace.
     */
    private static final double SECOND_CORE = 0.3;

    private final ToolRelease release;
    private final Call call;
    private final Neff neff;
    // Mapping from a logical core to its physical cores.
    private final IntFunction<List<String>> cores;

    Trace(ToolRelease release, Call call, Neff neff, IntFunction<List<String>> cores) {
        this.release = release;
        this.call = call;
        this.neff = neff;
        this.cores = cores;
    }

    Ntff of(int worker, int rank, int execution) {
        Chip chip = Chip.of(call.instanceType());
        Execution done = Execution.of(call, neff.model(), chip, rank, execution);
        List<Ntff.Graph> graphs = new ArrayList<>();
        List<String> physical = cores.apply(worker);
        for (int i = 0; i < physical.size(); i++) {
            long picoseconds = i == 0 ? done.picoseconds() : Math.round(done.picoseconds() * SECOND_CORE);
            graphs.add(new Ntff.Graph("sg0" + i, numberAfter(physical.get(i), "neuron_core"), picoseconds));
        }
        int runtime = release.minor() + 2;
        TraceProperties properties = new TraceProperties()
                .with("instance", call.instanceType())
                .with("rank", rank)
                .with("execution", execution)
                .with("device", numberAfter(physical.get(0), "neuron"))
                .with("work", done.work())
                .with("base", done.base())
                .with("start-up", done.startUp())
                .with("throttle", done.throttle())
                .with("dropped", done.dropped())
                .with("runtime", call.runtime().replaceFirst("^((?:[0-9]+\\.){2}[0-9]+).*", "$1"))
                .with("driver", call.driver())
                .with("collectives", "2." + runtime + ".34");
        byte[] uuid = neff.uuid().clone();
        if (call.has(Effect.WRONG_UUID, rank)) {
            // The first byte must not become zero, because a trace ends the UUID at a zero byte.
            uuid[0] ^= (byte) (uuid[0] == 0x55 ? 0x2a : 0x55);
        }
        long records = Work.named(done.work()).get("trace_count");
        return new Ntff(release.ntffVersion(), neff.name(), uuid, graphs, call.instanceType(), properties, (int)
                Math.min(records, MOST_RECORDS));
    }

    static int numberAfter(String core, String prefix) {
        int from = core.indexOf(prefix) + prefix.length();
        int to = from;
        while (to < core.length() && Character.isDigit(core.charAt(to))) {
            to++;
        }
        return Integer.parseInt(core.substring(from, to));
    }

    /** Returns the content of the file, truncated if that is scripted. */
    static byte[] bytes(Ntff ntff, Call call) {
        byte[] bytes = ntff.toBytes(System.currentTimeMillis() / 1000);
        String limit =
                call.argument(Effect.NTFF_BYTES, 0, (int) ntff.properties().number("rank", 0), "");
        return limit.isEmpty() ? bytes : Arrays.copyOf(bytes, (int) Math.min(bytes.length, Long.parseLong(limit)));
    }
}
