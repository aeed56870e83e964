package dev.neurontest.fake.profiler.view;

import dev.neurontest.fake.profiler.ntff.Ntff;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/**
 * The full JSON: an object of arrays, written record by record, so that it may be larger than the memory. The names are those of
 * genuine files.
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
        put("{\n\"summary\": [").put(summary.toJson()).put("],\n");
        put("\"metadata\": [{\"ntff_version\": ").put(ntff.version()).put("}],\n");
        put("\"neff_header\": [{\"name\": ").put(Json.quoted(ntff.neffName())).put(", \"uuid\": \"");
        put(ntff.uuidText()).put("\"}],\n");
        put("\"profile_info\": [],\n\"summary_groups\": [],\n\"terminology\": [],\n\"warnings\": [");
        String separator = "";
        for (Events.Warning warning : events.warnings()) {
            put(separator).put("{\"message\": ").put(Json.quoted(warning.message()));
            put(", \"category\": ").put(Json.quoted(warning.category())).put("}");
            separator = ", ";
        }
        put("],\n\"instruction\": [");
        for (long i = 0; i < events.instructions(); i++) {
            put(i == 0 ? "\n" : ",\n");
            put(events.instruction(i));
        }
        put("\n],\n\"dma\": [");
        for (long i = 0; i < events.packets(); i++) {
            put(i == 0 ? "\n" : ",\n");
            put(events.packet(i));
        }
        put("\n]\n}\n");
        out.flush();
    }

    private void put(Events.Instruction instruction) throws IOException {
        String label = Events.LABELS.get(instruction.engine());
        String opcode = instruction.opcode();
        put("{\"timestamp\": ").put(instruction.start());
        put(", \"duration\": ").put(instruction.duration());
        put(", \"evt_wait_time\": ").put(instruction.waited());
        put(", \"label\": \"").put(label).put("\", \"subgroup\": \"").put(label);
        put("\", \"opcode\": \"").put(opcode).put("\", \"compiler_opcode\": \"").put(opcode);
        put("\", \"instruction_type\": \"compute\", \"subgraph\": \"sg00\", \"layer\": \"")
                .put(instruction.layer());
        put("\", \"hlo_name\": \"").put(instruction.hloName());
        put("\", \"operands\": \"").put(instruction.operands());
        String line = instruction.line();
        if (line != null) {
            put("\", \"nki_source_location\": \"").put(line);
            put("\", \"bir_debug_info_source_location\": \"").put(line);
        }
        put("\"}");
    }

    private void put(Events.Packet packet) throws IOException {
        put("{\"id\": ").put(packet.id()).put(", \"timestamp\": ").put(packet.start());
        put(", \"duration\": ").put(packet.duration()).put(", \"dma_engine\": ").put(packet.engine());
        put(", \"dma_queue\": \"qIo").put(packet.queue());
        put("\", \"queue_type\": \"static\", \"op\": \"copy\", \"subgroup\": \"dma")
                .put(packet.engine());
        put("\", \"transfer_size\": ").put(Events.PACKET_BYTES);
        put(", \"read_size\": ").put(Events.PACKET_BYTES);
        put(", \"write_size\": ").put(Events.PACKET_BYTES);
        put(", \"transfer_rate\": 20.48, \"semaphore_id\": \"-1\"");
        put(", \"source\": \"hbm\", \"dest\": \"sbuf\", \"variable\": \"weight.")
                .put(packet.weight());
        put("\", \"aggregated\": false, \"crc\": 0, \"duplicate\": ").put(packet.duplicate() ? "true" : "false");
        put(", \"is_cc_dma\": false, \"packet_aggregation_id\": -1, \"packet_idx\": ");
        put(packet.id()).put("}");
    }

    private EventsJson put(String text) throws IOException {
        out.write(text);
        return this;
    }

    private EventsJson put(long number) throws IOException {
        return put(Long.toString(number));
    }
}
