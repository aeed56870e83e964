package dev.neurontest.fake.internal.profiler.view;

import dev.neurontest.fake.internal.profiler.ntff.Ntff;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/**
 * Writer of the full JSON: an object of arrays, written record by record. Therefore it may be larger than the memory. The names are
 * those of genuine files.
 */
final class EventsJson {

    private final Summary summary;
    private final Ntff ntff;
    private final Events events;
    private final Writer out;

    EventsJson(Summary summary, Ntff ntff, Events events, OutputStream out) {
        this.summary = summary;
        this.ntff = ntff;
        this.events = events;
        this.out = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    }

    void write() throws IOException {
        out.write("{\n\"summary\": [" + summary.toJson() + "],\n\"metadata\": [{\"ntff_version\": " + ntff.version()
                + "}],\n\"neff_header\": [{\"name\": " + Json.quoted(ntff.neffName()) + ", \"uuid\": \""
                + ntff.uuidText()
                + "\"}],\n\"profile_info\": [],\n\"summary_groups\": [],\n\"terminology\": [],\n\"warnings\": [");
        out.write(events.warnings().stream()
                .map(warning -> "{\"message\": " + Json.quoted(warning.message()) + ", \"category\": "
                        + Json.quoted(warning.category()) + "}")
                .collect(Collectors.joining(", ")));
        out.write("],\n\"instruction\": [");
        for (long i = 0; i < events.instructions(); i++) {
            out.write((i == 0 ? "\n" : ",\n") + json(events.instruction(i)));
        }
        out.write("\n],\n\"dma\": [");
        for (long i = 0; i < events.packets(); i++) {
            out.write((i == 0 ? "\n" : ",\n") + json(events.packet(i)));
        }
        out.write("\n]\n}\n");
        out.flush();
    }

    private static String json(Events.Instruction instruction) {
        String label = Events.LABELS.get(instruction.engine());
        String line = instruction.line();
        return "{\"timestamp\": " + instruction.start() + ", \"duration\": " + instruction.duration()
                + ", \"evt_wait_time\": " + instruction.waited() + ", \"label\": \"" + label + "\", \"subgroup\": \""
                + label
                + "\", \"opcode\": \"" + instruction.opcode() + "\", \"compiler_opcode\": \"" + instruction.opcode()
                + (instruction.tensor() == null
                        ? ""
                        : "\", \"instruction_type\": \"" + instruction.tensor().type())
                + "\", \"subgraph\": \"sg00\", \"layer\": \"" + instruction.layer()
                + "\", \"hlo_name\": \"" + instruction.hloName() + "\", \"operands\": \"" + instruction.operands()
                + (line == null
                        ? ""
                        : "\", \"nki_source_location\": \"" + line + "\", \"bir_debug_info_source_location\": \""
                                + line)
                + "\"}";
    }

    private static String json(Events.Packet packet) {
        Events.Transfer transfer = packet.transfer();
        return "{\"id\": " + packet.id() + ", \"timestamp\": " + transfer.start() + ", \"duration\": "
                + packet.duration() + ", \"dma_engine\": " + packet.engine() + ", \"dma_queue\": \"qIo"
                + transfer.queue()
                + "\", \"queue_type\": \"static\", \"op\": \"copy\", \"subgroup\": \"dma" + packet.engine()
                + "\", \"transfer_size\": " + packet.bytes() + ", \"read_size\": " + packet.bytes()
                + ", \"write_size\": " + packet.bytes() + ", \"transfer_rate\": "
                + GoNumber.json((double) packet.bytes() / packet.duration()) + ", \"semaphore_id\": \"-1\""
                + ", \"source\": \"hbm\", \"dest\": \"sbuf\", \"variable\": \"weight." + transfer.weight()
                + "\", \"aggregated\": false, \"crc\": 0, \"duplicate\": " + packet.duplicate()
                + ", \"is_cc_dma\": false, \"packet_aggregation_id\": " + transfer.id() + ", \"packet_idx\": "
                + packet.engine() + "}";
    }
}
