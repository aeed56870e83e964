package dev.neurontest.profile;

import dev.neurontest.internal.file.InputFile;
import dev.neurontest.internal.json.LargeJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;

/**
 * Reader of one full JSON in a single pass. It creates no objects per record: the parser shares field names, names are found by their
 * characters, and unused values are not decoded.
 */
final class ProfileEventsParser {

    private static final int MOST_WARNINGS = 100;
    private static final int LONGEST_WARNING = 1_000;
    private static final double NANOS = 1e9;
    private static final String TOTAL_TIME = "total_time";
    private static final String SPILL_SAVE_BYTES = "spill_save_bytes";
    private static final String SPILL_RELOAD_BYTES = "spill_reload_bytes";

    private final Path file;
    private final EventNames engines = new EventNames(Grouping.ENGINE);
    private final EventNames opcodes = new EventNames(Grouping.OPCODE);
    private final EventNames layers = new EventNames(Grouping.LAYER);
    private final EventNames lines = new EventNames(Grouping.LINE);
    private final EventNames queues = new EventNames(Grouping.QUEUE);
    private final Records instructions = new Records();
    private final Records transfers = new Records();
    private long duplicates;
    private long summaries;
    private final Map<String, Double> summary = new HashMap<>();
    private final List<String> notices = new ArrayList<>();
    private long warnings;

    private String expected = "one JSON object, as the profiler's view writes it";

    /** The record counts of one array. */
    private static final class Records {

        private long all;
        private long unusable;

        boolean isUsable(long duration) {
            boolean isUsable = duration >= 0 && duration <= EventRow.LONGEST;
            all++;
            unusable += isUsable ? 0 : 1;
            return isUsable;
        }
    }

    ProfileEventsParser(Path file) {
        this.file = file;
    }

    ProfileEvents read() {
        try (InputStream stream = InputFile.EVENTS.open(file)) {
            return read(stream);
        } catch (IOException e) {
            throw ProfileEventsException.unreadable(expected, events(), e);
        }
    }

    /** Reads the events from a stream instead of the file. */
    ProfileEvents read(InputStream stream) {
        try (JsonParser json = LargeJson.parser(stream)) {
            read(json);
        } catch (JacksonIOException e) {
            throw ProfileEventsException.unreadable(expected, events(), e.getCause());
        }
        return events();
    }

    private void read(JsonParser json) {
        try {
            root(json);
        } catch (JacksonIOException e) {
            throw e;
        } catch (JacksonException e) {
            TokenStreamLocation location = e.getLocation() == null ? json.currentLocation() : e.getLocation();
            throw malformed(location, e.getOriginalMessage(), e);
        }
    }

    private void root(JsonParser json) {
        JsonToken first = json.nextToken();
        if (first != JsonToken.START_OBJECT) {
            throw malformed(
                    json.currentLocation(), first == null ? "it is empty" : "it begins with " + first.name(), null);
        }
        expected = "the next array of the object, or its end";
        for (String name = json.nextName(); name != null; name = json.nextName()) {
            JsonToken value = next(json);
            switch (name) {
                case "instruction" -> elements(json, value, name, "instruction", instructions, this::instruction);
                case "dma" -> elements(json, value, name, "DMA transfer", transfers, this::transfer);
                case "summary" -> summary(json, value);
                case "warnings" -> warnings(json, value);
                default -> json.skipChildren();
            }
            expected = "the next array of the object, or its end";
        }
        expected = "nothing after the end of the object";
        if (json.nextToken() != null) {
            throw malformed(json.currentLocation(), "something comes after its end", null);
        }
    }

    private JsonToken next(JsonParser json) {
        JsonToken token = json.nextToken();
        if (token == null) {
            throw malformed(json.currentLocation(), "it ends there", null);
        }
        return token;
    }

    private void elements(
            JsonParser json,
            JsonToken value,
            String array,
            String element,
            Records records,
            Consumer<JsonParser> reader) {
        if (value != JsonToken.START_ARRAY) {
            notices.add("%s: it is not an array and was not read.".formatted(array));
            json.skipChildren();
            return;
        }
        expected = "the next %s, or the end of the array".formatted(element);
        for (JsonToken token = next(json); token != JsonToken.END_ARRAY; token = next(json)) {
            if (token == JsonToken.START_OBJECT) {
                reader.accept(json);
            } else {
                json.skipChildren();
                records.isUsable(EventNumbers.ABSENT);
            }
        }
    }

    private void instruction(JsonParser json) {
        EventTally label = null;
        EventTally subgroup = null;
        EventTally opcode = null;
        EventTally compiled = null;
        EventTally type = null;
        EventTally layer = null;
        EventTally kernelLine = null;
        EventTally modelLine = null;
        long duration = EventNumbers.ABSENT;
        long spilled = EventNumbers.ABSENT;
        for (String name = json.nextName(); name != null; name = json.nextName()) {
            JsonToken value = next(json);
            switch (name) {
                case "duration" -> duration = EventNumbers.nanos(json, value);
                case "spill_save_bytes", "spill_reload_bytes" ->
                    spilled = EventTally.plus(spilled, EventNumbers.nanos(json, value));
                case "label" -> label = find(json, value, engines);
                case "subgroup" -> subgroup = find(json, value, engines);
                case "opcode" -> opcode = find(json, value, opcodes);
                case "compiler_opcode" -> compiled = find(json, value, opcodes);
                // The first is the name in older tools.
                case "instruction_type", "tensor_instruction_type" -> type = find(json, value, opcodes);
                case "layer" -> layer = find(json, value, layers);
                case "nki_source_location" -> kernelLine = find(json, value, lines);
                case "bir_debug_info_source_location" -> modelLine = find(json, value, lines);
                default -> json.skipChildren();
            }
        }
        if (instructions.isUsable(duration)) {
            add(engines, label == null ? subgroup : label, duration, spilled);
            add(opcodes, opcode(opcode, type != null && type.isTranspose ? type : compiled), duration, spilled);
            add(layers, layer, duration, spilled);
            // The line of a handwritten kernel is more precise than the line that the compiler derived from a model.
            add(lines, kernelLine == null ? modelLine : kernelLine, duration, spilled);
        }
    }

    /** Returns the opcode, or the compiled name if only that one is of a transpose. */
    private static @Nullable EventTally opcode(@Nullable EventTally opcode, @Nullable EventTally compiled) {
        return compiled != null && (opcode == null || compiled.isTranspose && !opcode.isTranspose) ? compiled : opcode;
    }

    /** Checks whether the value is a text or number; otherwise skips it. */
    private static boolean isText(JsonParser json, JsonToken value) {
        if (value.isScalarValue() && value != JsonToken.VALUE_NULL) {
            return true;
        }
        json.skipChildren();
        return false;
    }

    private static @Nullable EventTally find(JsonParser json, JsonToken value, EventNames names) {
        if (!isText(json, value)) {
            return null;
        }
        char[] buffer = json.getStringCharacters();
        int length = json.getStringLength();
        return length == 0 ? null : names.find(buffer, json.getStringOffset(), length);
    }

    private static void add(EventNames names, @Nullable EventTally name, long duration, long spilled) {
        (name == null ? names.none() : name).add(duration, spilled);
    }

    private void transfer(JsonParser json) {
        long duration = EventNumbers.ABSENT;
        EventTally queue = null;
        for (String name = json.nextName(); name != null; name = json.nextName()) {
            JsonToken value = next(json);
            switch (name) {
                case "duration" -> duration = EventNumbers.nanos(json, value);
                case "dma_queue" -> queue = find(json, value, queues);
                case "duplicate" -> duplicates += isTrue(json, value) ? 1 : 0;
                default -> json.skipChildren();
            }
        }
        if (transfers.isUsable(duration)) {
            add(queues, queue, duration, EventNumbers.ABSENT);
        }
    }

    private static boolean isTrue(JsonParser json, JsonToken value) {
        return switch (value) {
            case VALUE_TRUE -> true;
            case VALUE_STRING ->
                json.getString().equalsIgnoreCase("true") || json.getString().equals("1");
            case VALUE_NUMBER_INT -> json.getString().equals("1");
            default -> {
                json.skipChildren();
                yield false;
            }
        };
    }

    private void summary(JsonParser json, JsonToken value) {
        expected = "the numbers of \"summary\"";
        if (value == JsonToken.START_OBJECT) {
            summaryElement(json);
        } else if (value == JsonToken.START_ARRAY) {
            for (JsonToken token = next(json); token != JsonToken.END_ARRAY; token = next(json)) {
                if (token == JsonToken.START_OBJECT) {
                    summaryElement(json);
                } else {
                    json.skipChildren();
                }
            }
        }
    }

    private void summaryElement(JsonParser json) {
        if (summaries++ > 0) {
            json.skipChildren();
            return;
        }
        for (String name = json.nextName(); name != null; name = json.nextName()) {
            JsonToken value = next(json);
            switch (name) {
                case TOTAL_TIME, SPILL_SAVE_BYTES, SPILL_RELOAD_BYTES ->
                    summary.put(name, EventNumbers.number(json, value));
                default -> json.skipChildren();
            }
        }
    }

    private void warnings(JsonParser json, JsonToken value) {
        expected = "the texts of \"warnings\"";
        if (value == JsonToken.START_ARRAY) {
            for (JsonToken token = next(json); token != JsonToken.END_ARRAY; token = next(json)) {
                warning(token == JsonToken.START_OBJECT ? warningObject(json) : text(json, token));
            }
        } else {
            warning(text(json, value));
        }
    }

    private void warning(String text) {
        if (!text.isEmpty() && warnings++ < MOST_WARNINGS) {
            notices.add("The tool warns: " + text);
        }
    }

    private String warningObject(JsonParser json) {
        String category = "";
        String message = "";
        for (String name = json.nextName(); name != null; name = json.nextName()) {
            JsonToken value = next(json);
            switch (name) {
                case "category" -> category = text(json, value);
                case "message" -> message = text(json, value);
                default -> json.skipChildren();
            }
        }
        return category + (category.isEmpty() || message.isEmpty() ? "" : ": ") + message;
    }

    private static String text(JsonParser json, JsonToken value) {
        if (!isText(json, value)) {
            return "";
        }
        String text = json.getString();
        return text.length() <= LONGEST_WARNING ? text : text.substring(0, LONGEST_WARNING) + "...";
    }

    private ProfileEventsException malformed(TokenStreamLocation location, String problem, @Nullable Exception cause) {
        return ProfileEventsException.malformed(
                Math.max(0, location.getByteOffset()),
                instructions.all + transfers.all,
                problem,
                expected,
                events(),
                cause);
    }

    private ProfileEvents events() {
        List<EventRow> rows = Stream.of(lines, layers, opcodes, engines, queues)
                .flatMap(EventNames::rows)
                .toList();
        List<String> all = new ArrayList<>(ProfileEvents.unusable(
                "instruction", "--ignore-instruction-trace", instructions.all, instructions.unusable));
        all.addAll(ProfileEvents.unusable("dma", "--ignore-dma-trace", transfers.all, transfers.unusable));
        if (duplicates > 0) {
            all.add(String.format(
                    Locale.ROOT,
                    "dma: %,d of %,d records are marked as duplicates, a known fault of the tools. They are in the sums; use the bytes of the summary.",
                    duplicates,
                    transfers.all));
        }
        all.addAll(ProfileEvents.summedTogether(rows));
        if (summaries > 1) {
            all.add(String.format(Locale.ROOT, "summary: the first of %,d elements is used.", summaries));
        }
        all.addAll(notices);
        if (warnings > MOST_WARNINGS) {
            all.add(String.format(Locale.ROOT, "warnings: the first %,d of %,d are kept.", MOST_WARNINGS, warnings));
        }
        return new ProfileEvents(
                file,
                new TreeMap<>(),
                number(TOTAL_TIME, NANOS),
                EventRow.sum(number(SPILL_SAVE_BYTES, 1), number(SPILL_RELOAD_BYTES, 1)),
                rows,
                all);
    }

    private OptionalLong number(String field, double factor) {
        double number = summary.getOrDefault(field, Double.NaN) * factor;
        return number >= 0 ? OptionalLong.of(Math.round(Math.min(number, EventRow.MOST))) : OptionalLong.empty();
    }
}
