package dev.neurontest.profile.event;

import dev.neurontest.file.InputFile;
import dev.neurontest.json.FieldNames;
import dev.neurontest.json.LargeJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.sym.PropertyNameMatcher;

/**
 * Reads one full JSON, once. Nothing is made for a record: names are looked up by the parser's bytes, texts by its characters,
 * and what is not asked for is not decoded.
 */
final class ProfileEventsParser {

    private static final int MOST_WARNINGS = 100;
    private static final int LONGEST_WARNING = 1_000;
    private static final double NANOS = 1e9;

    private enum Section {
        INSTRUCTION,
        DMA,
        SUMMARY,
        WARNINGS
    }

    /** Fields of an instruction; those with a name come before {@link #DURATION}. */
    private enum InstructionField {
        LABEL,
        SUBGROUP,
        OPCODE,
        COMPILER_OPCODE,
        LAYER,
        NKI_SOURCE_LOCATION,
        BIR_DEBUG_INFO_SOURCE_LOCATION,
        DURATION,
        SPILL_SAVE_BYTES,
        SPILL_RELOAD_BYTES
    }

    private enum DmaField {
        DURATION,
        DMA_QUEUE,
        DUPLICATE
    }

    private enum SummaryField {
        TOTAL_TIME,
        SPILL_SAVE_BYTES,
        SPILL_RELOAD_BYTES
    }

    private enum WarningField {
        MESSAGE,
        CATEGORY
    }

    private final Path file;
    private final EventNames engines = new EventNames(Grouping.ENGINE);
    private final EventNames opcodes = new EventNames(Grouping.OPCODE);
    private final EventNames layers = new EventNames(Grouping.LAYER);
    private final EventNames lines = new EventNames(Grouping.LINE);
    private final EventNames queues = new EventNames(Grouping.QUEUE);
    private final FieldNames<Section> sections = new FieldNames<>(Section.values());
    private final FieldNames<InstructionField> instructionFields = new FieldNames<>(InstructionField.values());
    private final FieldNames<DmaField> dmaFields = new FieldNames<>(DmaField.values());
    private final FieldNames<SummaryField> summaryFields = new FieldNames<>(SummaryField.values());
    private final FieldNames<WarningField> warningFields = new FieldNames<>(WarningField.values());

    /** The names of the instruction that is being read, by field. */
    private final @Nullable EventTally[] names = new @Nullable EventTally[InstructionField.DURATION.ordinal()];

    private long instructions;
    private long unusableInstructions;
    private long transfers;
    private long unusableTransfers;
    private long duplicates;
    private long summaries;
    private final Map<SummaryField, Double> summary = new EnumMap<>(SummaryField.class);
    private final List<String> notices = new ArrayList<>();
    private long warnings;

    private String expected = "one JSON object, as the profiler's view writes it";

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

    /** Reads what the file holds from elsewhere. */
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
        for (int match = json.nextNameMatch(sections.matcher());
                match != PropertyNameMatcher.MATCH_END_OBJECT;
                match = json.nextNameMatch(sections.matcher())) {
            JsonToken value = next(json);
            if (sections.isField(match)) {
                section(json, sections.field(match), value);
            } else {
                json.skipChildren();
            }
        }
        expected = "nothing after the end of the object";
        if (json.nextToken() != null) {
            throw malformed(json.currentLocation(), "something comes after its end", null);
        }
    }

    private void section(JsonParser json, Section section, JsonToken value) {
        switch (section) {
            case INSTRUCTION -> elements(json, value, "instruction", "the next instruction, or the end of the array");
            case DMA -> elements(json, value, "dma", "the next DMA transfer, or the end of the array");
            case SUMMARY -> summary(json, value);
            case WARNINGS -> warnings(json, value);
        }
        expected = "the next array of the object, or its end";
    }

    private JsonToken next(JsonParser json) {
        JsonToken token = json.nextToken();
        if (token == null) {
            throw malformed(json.currentLocation(), "it ends there", null);
        }
        return token;
    }

    private void elements(JsonParser json, JsonToken value, String array, String next) {
        if (value != JsonToken.START_ARRAY) {
            notices.add("%s: it is no array and was not read.".formatted(array));
            json.skipChildren();
            return;
        }
        expected = next;
        boolean isOfInstructions = array.equals("instruction");
        for (JsonToken token = next(json); token != JsonToken.END_ARRAY; token = next(json)) {
            if (token != JsonToken.START_OBJECT) {
                json.skipChildren();
                count(isOfInstructions, false);
            } else if (isOfInstructions) {
                instruction(json);
            } else {
                transfer(json);
            }
        }
    }

    private boolean count(boolean isInstruction, boolean isUsable) {
        if (isInstruction) {
            instructions++;
            unusableInstructions += isUsable ? 0 : 1;
        } else {
            transfers++;
            unusableTransfers += isUsable ? 0 : 1;
        }
        return isUsable;
    }

    private static boolean isUsable(long duration) {
        return duration >= 0 && duration <= EventRow.LONGEST;
    }

    private void instruction(JsonParser json) {
        Arrays.fill(names, null);
        long duration = EventNumbers.ABSENT;
        long spilled = EventNumbers.ABSENT;
        for (int match = json.nextNameMatch(instructionFields.matcher());
                match != PropertyNameMatcher.MATCH_END_OBJECT;
                match = json.nextNameMatch(instructionFields.matcher())) {
            JsonToken value = next(json);
            if (!instructionFields.isField(match)) {
                instructionFields.learn(match, json);
                skip(json, value);
                continue;
            }
            InstructionField field = instructionFields.field(match);
            switch (field) {
                case DURATION -> duration = EventNumbers.nanos(json, value);
                case SPILL_SAVE_BYTES, SPILL_RELOAD_BYTES ->
                    spilled = EventTally.plus(spilled, EventNumbers.nanos(json, value));
                case LABEL, SUBGROUP -> names[match] = find(json, value, engines);
                case OPCODE, COMPILER_OPCODE -> names[match] = find(json, value, opcodes);
                case LAYER -> names[match] = find(json, value, layers);
                case NKI_SOURCE_LOCATION, BIR_DEBUG_INFO_SOURCE_LOCATION -> names[match] = find(json, value, lines);
            }
        }
        if (count(true, isUsable(duration))) {
            add(engines, first(InstructionField.LABEL, InstructionField.SUBGROUP), duration, spilled);
            add(opcodes, opcode(), duration, spilled);
            add(layers, name(InstructionField.LAYER), duration, spilled);
            // The line of a kernel that a person wrote is nearer than the one that the compiler made of a model.
            add(
                    lines,
                    first(InstructionField.NKI_SOURCE_LOCATION, InstructionField.BIR_DEBUG_INFO_SOURCE_LOCATION),
                    duration,
                    spilled);
        }
    }

    private @Nullable EventTally name(InstructionField field) {
        return names[field.ordinal()];
    }

    private @Nullable EventTally first(InstructionField field, InstructionField other) {
        EventTally name = name(field);
        return name == null ? name(other) : name;
    }

    /** Returns the opcode, or that of the compiler where it alone names a transpose. */
    private @Nullable EventTally opcode() {
        EventTally compiled = name(InstructionField.COMPILER_OPCODE);
        EventTally opcode = first(InstructionField.OPCODE, InstructionField.COMPILER_OPCODE);
        return compiled != null && compiled.isTranspose && opcode != null && !opcode.isTranspose ? compiled : opcode;
    }

    /** Past the value when it is none. */
    private static boolean isText(JsonParser json, JsonToken value) {
        if (value.isScalarValue() && value != JsonToken.VALUE_NULL) {
            return true;
        }
        json.skipChildren();
        return false;
    }

    private static void skip(JsonParser json, JsonToken value) {
        if (value.isStructStart()) {
            json.skipChildren();
        }
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
        for (int match = json.nextNameMatch(dmaFields.matcher());
                match != PropertyNameMatcher.MATCH_END_OBJECT;
                match = json.nextNameMatch(dmaFields.matcher())) {
            JsonToken value = next(json);
            if (!dmaFields.isField(match)) {
                dmaFields.learn(match, json);
                skip(json, value);
                continue;
            }
            switch (dmaFields.field(match)) {
                case DURATION -> duration = EventNumbers.nanos(json, value);
                case DMA_QUEUE -> queue = find(json, value, queues);
                case DUPLICATE -> duplicates += isTrue(json, value) ? 1 : 0;
            }
        }
        if (count(false, isUsable(duration))) {
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
        for (int match = json.nextNameMatch(summaryFields.matcher());
                match != PropertyNameMatcher.MATCH_END_OBJECT;
                match = json.nextNameMatch(summaryFields.matcher())) {
            JsonToken value = next(json);
            if (summaryFields.isField(match)) {
                summary.put(summaryFields.field(match), EventNumbers.number(json, value));
            } else {
                json.skipChildren();
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
        Map<WarningField, String> texts = new EnumMap<>(WarningField.class);
        for (int match = json.nextNameMatch(warningFields.matcher());
                match != PropertyNameMatcher.MATCH_END_OBJECT;
                match = json.nextNameMatch(warningFields.matcher())) {
            JsonToken value = next(json);
            if (warningFields.isField(match)) {
                texts.put(warningFields.field(match), text(json, value));
            } else {
                json.skipChildren();
            }
        }
        return Stream.of(WarningField.CATEGORY, WarningField.MESSAGE)
                .map(field -> texts.getOrDefault(field, ""))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(": "));
    }

    private static String text(JsonParser json, JsonToken value) {
        if (!isText(json, value)) {
            return "";
        }
        String text = json.getString();
        return text.length() <= LONGEST_WARNING ? text : text.substring(0, LONGEST_WARNING) + "...";
    }

    private ProfileEventsException malformed(TokenStreamLocation location, String what, @Nullable Exception cause) {
        return ProfileEventsException.malformed(
                Math.max(0, location.getByteOffset()), instructions + transfers, what, expected, events(), cause);
    }

    private ProfileEvents events() {
        List<EventRow> rows = Stream.of(lines, layers, opcodes, engines, queues)
                .flatMap(EventNames::rows)
                .toList();
        List<String> all = new ArrayList<>(ProfileEvents.unusable(
                "instruction", "--ignore-instruction-trace", instructions, unusableInstructions));
        all.addAll(ProfileEvents.unusable("dma", "--ignore-dma-trace", transfers, unusableTransfers));
        if (duplicates > 0) {
            all.add(String.format(
                    Locale.ROOT,
                    "dma: %,d of %,d records are marked as duplicates, a known fault of the tools. They are in the sums; take bytes from the summary.",
                    duplicates,
                    transfers));
        }
        all.addAll(ProfileEvents.summedTogether(rows));
        if (summaries > 1) {
            all.add(String.format(Locale.ROOT, "summary: the first of %,d elements is taken.", summaries));
        }
        all.addAll(notices);
        if (warnings > MOST_WARNINGS) {
            all.add(String.format(Locale.ROOT, "warnings: the first %,d of %,d are kept.", MOST_WARNINGS, warnings));
        }
        return new ProfileEvents(
                file,
                new TreeMap<>(),
                number(SummaryField.TOTAL_TIME, NANOS),
                EventRow.sum(number(SummaryField.SPILL_SAVE_BYTES, 1), number(SummaryField.SPILL_RELOAD_BYTES, 1)),
                rows,
                all);
    }

    private OptionalLong number(SummaryField field, double factor) {
        double number = summary.getOrDefault(field, Double.NaN) * factor;
        return number >= 0 ? OptionalLong.of(Math.round(Math.min(number, EventRow.MOST))) : OptionalLong.empty();
    }
}
