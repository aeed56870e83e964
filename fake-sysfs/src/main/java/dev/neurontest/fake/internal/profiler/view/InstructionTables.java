package dev.neurontest.fake.internal.profiler.view;

import dev.neurontest.fake.internal.profiler.table.Table;
import dev.neurontest.fake.internal.profiler.table.TableFile;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The tables of instructions. */
final class InstructionTables {

    /** Maximum number of instructions in a single file; more are split into two files. */
    private static final long ROWS_OF_ONE_FILE = 1500;

    private static final List<String> BYTES_OF_INSTRUCTIONS =
            List.of(("hbm_read hbm_write sbuf_read sbuf_write spill_save"
                            + " spill_reload psum_read psum_write psum_read_sbuf_write input_queue output_queue weight_queue")
                    .split(" "));

    private final Summary summary;
    private final Events events;

    InstructionTables(Summary summary, Events events) {
        this.summary = summary;
        this.events = events;
    }

    void write(TableFolder folder) throws IOException {
        long all = events.instructions();
        Table table = folder.schema().table("Instruction");
        if (all <= ROWS_OF_ONE_FILE) {
            folder.write(table, "", file -> instructions(file, 0, all));
            return;
        }
        folder.write(table, "_0", file -> instructions(file, 0, all / 2));
        folder.write(table, "_1", file -> instructions(file, all / 2, all));
    }

    private void instructions(TableFile file, long from, long to) throws IOException {
        Map<String, Long> bytes = new LinkedHashMap<>();
        for (String what : BYTES_OF_INSTRUCTIONS) {
            String metric = what + "_bytes";
            if (summary.names().contains(metric) && summary.value(metric) instanceof Long sum && sum >= 0) {
                bytes.put(metric, sum);
            }
        }
        for (long i = from; i < to; i++) {
            Events.Instruction each = events.instruction(i);
            file.put("start_ts", each.start())
                    .put("end_ts", each.start() + each.duration())
                    .put("duration_ns", each.duration())
                    .put("engine", Events.ENGINES.get(each.engine()))
                    .put("timeline_track", Events.LABELS.get(each.engine()))
                    .put("pcore_idx", each.core())
                    .put("opcode", each.opcode())
                    .put("operands", each.operands())
                    .put("compiler_opcode", each.opcode())
                    .put("id", i)
                    .put("pc", i * 64)
                    .put("bir_id", "I-" + i)
                    .put("bir_instruction_name", each.opcode() + '.' + i)
                    .put("evt_wait_time_ns", each.waited())
                    .put("hlo_name", each.hloName())
                    .put("layer", each.layer())
                    .put("nki_source_location", each.line())
                    .put("bir_debug_info_source_location", each.line());
            if (each.line() != null && !each.line().isEmpty()) {
                file.put("kernel_instruction_name", "nki." + each.opcode().toLowerCase(Locale.ROOT));
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
}
