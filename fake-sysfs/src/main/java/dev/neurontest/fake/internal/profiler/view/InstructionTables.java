package dev.neurontest.fake.internal.profiler.view;

import dev.neurontest.fake.internal.profiler.table.TableFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The tables of instructions, each summed up in its own way. */
final class InstructionTables {

    private static final List<String> BYTES_OF_INSTRUCTIONS =
            List.of(("hbm_read hbm_write sbuf_read sbuf_write spill_save"
                            + " spill_reload psum_read psum_write psum_read_sbuf_write input_queue output_queue weight_queue")
                    .split(" "));

    private final Summary summary;
    private final Events events;
    private final long nanoseconds;

    private record Track(int engine, int core) {}

    private record Opcode(String engine, String name) {}

    private record Interval(long start, long end) {}

    InstructionTables(Summary summary, Events events, long nanoseconds) {
        this.summary = summary;
        this.events = events;
        this.nanoseconds = nanoseconds;
    }

    void write(TableFolder folder) throws IOException {
        folder.write("Instruction", this::instructions);
        folder.write("ActiveTime", this::activeTime);
        folder.write("OpcodeSummary", this::opcodeSummary);
    }

    private void instructions(TableFile file) throws IOException {
        Map<String, Long> bytes = new LinkedHashMap<>();
        for (String what : BYTES_OF_INSTRUCTIONS) {
            String metric = what + "_bytes";
            summary.sum(metric).ifPresent(sum -> bytes.put(metric, sum));
        }
        for (long i = 0; i < events.instructions(); i++) {
            Events.Instruction each = events.instruction(i);
            file.put("start_ts", each.start())
                    .put("end_ts", each.end())
                    .put("duration_ns", each.duration())
                    .put("engine", Events.ENGINES.get(each.engine()))
                    .put("timeline_track", Events.LABELS.get(each.engine()))
                    .put("pcore_idx", each.core())
                    .put("opcode", each.opcode())
                    .put("operands", each.operands())
                    .put("compiler_opcode", each.opcode())
                    .put("id", i)
                    .put("pc", i * 64)
                    .put("bir_id", each.birId())
                    .put("bir_instruction_name", each.opcode() + '.' + i)
                    .put("evt_wait_time_ns", each.waited())
                    .put("hlo_name", each.hloName())
                    .put("layer", each.layer())
                    .put("nki_source_location", each.line())
                    .put("bir_debug_info_source_location", each.line());
            if (each.line() != null && !each.line().isEmpty()) {
                file.put("kernel_instruction_name", "nki." + each.opcode().toLowerCase(Locale.ROOT));
            }
            Events.Tensor tensor = each.tensor();
            if (tensor != null) {
                long transposed = tensor.isTranspose() ? tensor.flops() : 0;
                file.put("tensor_instruction_type", tensor.type())
                        .put("raw_flops", tensor.flops())
                        .put("adjusted_flops", tensor.flops())
                        .put("flops_transpose", transposed)
                        .put("adjusted_flops_transpose", transposed);
            }
            long spilled = events.spilled(i);
            for (Map.Entry<String, Long> metric : bytes.entrySet()) {
                boolean spills = metric.getKey().startsWith("spill");
                long shared = metric.getValue() - (spills ? events.spilled() : 0);
                file.put(metric.getKey(), Events.part(shared, i, events.instructions()) + (spills ? spilled : 0));
            }
            file.endRow();
        }
    }

    /** Writes the intervals in which an engine of a physical core executes at least one instruction. */
    private void activeTime(TableFile file) throws IOException {
        Map<Track, List<Interval>> tracks = new LinkedHashMap<>();
        for (long i = 0; i < events.instructions(); i++) {
            Events.Instruction each = events.instruction(i);
            List<Interval> intervals =
                    tracks.computeIfAbsent(new Track(each.engine(), each.core()), track -> new ArrayList<>());
            int last = intervals.size() - 1;
            if (last >= 0 && each.start() <= intervals.get(last).end()) {
                Interval open = intervals.get(last);
                intervals.set(last, new Interval(open.start(), Math.max(open.end(), each.end())));
            } else {
                intervals.add(new Interval(each.start(), each.end()));
            }
        }
        for (Map.Entry<Track, List<Interval>> track : tracks.entrySet()) {
            for (Interval each : track.getValue()) {
                file.put("start_ts", each.start())
                        .put("end_ts", each.end())
                        .put("engine", name(track.getKey().engine()))
                        .put("pcore_idx", track.getKey().core())
                        .put("duration_ns", each.end() - each.start())
                        .endRow();
            }
        }
    }

    private void opcodeSummary(TableFile file) throws IOException {
        Map<Opcode, long[]> countsAndTimes = new LinkedHashMap<>();
        for (long i = 0; i < events.instructions(); i++) {
            Events.Instruction each = events.instruction(i);
            long[] sums = countsAndTimes.computeIfAbsent(
                    new Opcode(name(each.engine()), each.opcode()), opcode -> new long[3]);
            sums[0]++;
            sums[1] += each.duration();
            sums[2] += Math.round(each.duration() * events.activeShare(each.engine()));
        }
        for (Map.Entry<Opcode, long[]> each : countsAndTimes.entrySet()) {
            long[] sums = each.getValue();
            file.put("engine", each.getKey().engine())
                    .put("opcode", each.getKey().name())
                    .put("instruction_count", sums[0])
                    .put("instruction_time_ns", sums[1])
                    .put("active_time_ns", sums[2])
                    .put("active_time_percent", (double) sums[2] / nanoseconds)
                    .endRow();
        }
    }

    /** Returns the name of an engine in tables other than that of the instructions. */
    private static String name(int engine) {
        return Events.ENGINES.get(engine).toLowerCase(Locale.ROOT);
    }
}
