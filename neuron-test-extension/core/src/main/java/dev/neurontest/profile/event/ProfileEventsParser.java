package dev.neurontest.profile.event;

import dev.neurontest.file.InputFile;
import dev.neurontest.json.FieldNames;
import dev.neurontest.json.LargeJson;
import dev.neurontest.profile.event.EventQuery.Field;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.sym.PropertyNameMatcher;

/**
 * Reads one full json, once. Nothing is made for a record: names are looked up by the parser's bytes, texts by its characters,
 * and what is not asked for is not decoded.
 */
final class ProfileEventsParser {

    private static final int MOST_ENGINES = 100;
    private static final int MOST_OPCODES = 1_000;
    private static final int MOST_LAYERS = 5_000;
    private static final int MOST_LINES = 5_000;
    private static final int MOST_QUEUES = 1_000;
    static final int MOST_NUMBERS = 2_000;
    static final int MOST_WARNINGS = 100;
    private static final int LONGEST_WARNING = 1_000;

    private enum Section {
        INSTRUCTION,
        DMA,
        SUMMARY,
        WARNINGS
    }

    private enum InstructionField {
        TIMESTAMP,
        DURATION,
        LABEL,
        SUBGROUP,
        OPCODE,
        COMPILER_OPCODE,
        LAYER,
        NKI_SOURCE_LOCATION,
        BIR_DEBUG_INFO_SOURCE_LOCATION,
        SPILL_SAVE_BYTES,
        SPILL_RELOAD_BYTES,
        HLO_NAME,
        OPERANDS
    }

    private enum DmaField {
        DURATION,
        DMA_QUEUE,
        DUPLICATE
    }

    private enum WarningField {
        MESSAGE,
        CATEGORY
    }

    private final Path file;
    private final Map<String, EventQuery> queries;
    private final int keptLongest;

    private final EventConditions conditions;
    private final long engineMask;
    private final long opcodeMask;
    private final long compilerOpcodeMask;
    private final long layerMask;
    private final long lineMask;
    private final long hloNameMask;
    private final LongPredicate[] predicates;
    private final EventTally[] found;

    private final EventTally instructions = EventTally.wide();
    private final EventTally transfers = EventTally.wide();
    private final EventNames engines;
    private final EventNames opcodes;
    private final EventNames layers;
    private final EventNames lines;
    private final EventNames queues;
    private final FieldNames<Section> sections = new FieldNames<>(Section.values());
    private final FieldNames<InstructionField> instructionFields = new FieldNames<>(InstructionField.values());
    private final FieldNames<DmaField> dmaFields = new FieldNames<>(DmaField.values());
    private final FieldNames<WarningField> warningFields = new FieldNames<>(WarningField.values());

    private final InstructionRecord record = new InstructionRecord();
    private final InstructionRanking ranking;
    private final EventFaults instructionFaults = new EventFaults("instruction", "--ignore-instruction-trace");
    private final EventFaults transferFaults = new EventFaults("dma", "--ignore-dma-trace");
    private long duplicates;

    private final Map<String, Double> summaryNumbers = new LinkedHashMap<>();
    private long summaries;
    private long unreadableNumbers;
    private boolean tooManyNumbers;
    private final List<String> warnings = new ArrayList<>();
    private long allWarnings;

    private String expected = "one JSON object, as the profiler's view writes it";

    ProfileEventsParser(Path file, Map<String, EventQuery> queries, int keptLongest) {
        this.file = file;
        this.queries = queries;
        this.keptLongest = keptLongest;
        this.conditions = new EventConditions(queries.values());
        this.engineMask = conditions.mask(Field.ENGINE);
        this.opcodeMask = conditions.mask(Field.OPCODE);
        this.compilerOpcodeMask = conditions.mask(Field.COMPILER_OPCODE);
        this.layerMask = conditions.mask(Field.LAYER);
        this.lineMask = conditions.mask(Field.LINE);
        this.hloNameMask = conditions.mask(Field.HLO_NAME);
        this.predicates = queries.values().stream().map(conditions::compile).toArray(LongPredicate[]::new);
        this.found = Stream.generate(EventTally::wide).limit(predicates.length).toArray(EventTally[]::new);
        this.engines = new EventNames("engine", MOST_ENGINES, conditions);
        this.opcodes = new EventNames("opcode", MOST_OPCODES, conditions);
        this.layers = new EventNames("layer", MOST_LAYERS, conditions);
        this.lines = new EventNames("source line", MOST_LINES, conditions);
        this.queues = new EventNames("dma_queue", MOST_QUEUES, new EventConditions(List.of()));
        this.ranking = new InstructionRanking(keptLongest);
    }

    ProfileEvents read() {
        try (InputStream stream = InputFile.EVENTS.open(file)) {
            return read(stream);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** Reads what the file holds from elsewhere. */
    ProfileEvents read(InputStream stream) {
        try (JsonParser json = LargeJson.parser(stream)) {
            read(json);
        } catch (JacksonIOException e) {
            throw unreadable(e.getCause());
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
            throw malformed(Math.max(0, location.getByteOffset()), e.getOriginalMessage(), e);
        }
    }

    private void root(JsonParser json) {
        JsonToken first = json.nextToken();
        if (first != JsonToken.START_OBJECT) {
            throw malformed(json, first == null ? "it is empty" : "it begins with " + first.name());
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
            throw malformed(json, "something comes after its end");
        }
    }

    private void section(JsonParser json, Section section, JsonToken value) {
        switch (section) {
            case INSTRUCTION -> instructions(json, value);
            case DMA -> transfers(json, value);
            case SUMMARY -> summary(json, value);
            case WARNINGS -> warnings(json, value);
        }
    }

    private JsonToken next(JsonParser json) {
        JsonToken token = json.nextToken();
        if (token == null) {
            throw malformed(json, "it ends there");
        }
        return token;
    }

    private void instructions(JsonParser json, JsonToken value) {
        if (isArray(json, value, instructionFaults)) {
            expected = "the next instruction, or the end of the array";
            for (JsonToken token = next(json); token != JsonToken.END_ARRAY; token = next(json)) {
                if (token == JsonToken.START_OBJECT) {
                    instruction(json);
                } else {
                    instructionFaults.noObject();
                    json.skipChildren();
                }
            }
            expected = "the next array of the object, or its end";
        }
    }

    private static boolean isArray(JsonParser json, JsonToken value, EventFaults faults) {
        if (value == JsonToken.START_ARRAY) {
            return true;
        }
        faults.otherThanArray();
        json.skipChildren();
        return false;
    }

    private void instruction(JsonParser json) {
        InstructionRecord record = this.record;
        record.clear();
        for (int match = json.nextNameMatch(instructionFields.matcher());
                match != PropertyNameMatcher.MATCH_END_OBJECT;
                match = json.nextNameMatch(instructionFields.matcher())) {
            JsonToken value = next(json);
            if (instructionFields.isField(match)) {
                field(json, instructionFields.field(match), value);
            } else {
                instructionFields.learn(match, json);
                skip(json, value);
            }
        }
        add(record);
    }

    private void field(JsonParser json, InstructionField field, JsonToken value) {
        switch (field) {
            case TIMESTAMP -> record.timestamp = EventNumbers.nanos(json, value);
            case DURATION -> record.duration = EventNumbers.nanos(json, value);
            case LABEL -> {
                record.label = find(json, value, engines);
                record.labelMet = met(record.label, engines);
            }
            case SUBGROUP -> {
                record.subgroup = find(json, value, engines);
                record.subgroupMet = met(record.subgroup, engines);
            }
            case OPCODE -> {
                record.opcode = find(json, value, opcodes);
                record.opcodeMet = met(record.opcode, opcodes);
            }
            case COMPILER_OPCODE -> {
                record.compilerOpcode = find(json, value, opcodes);
                record.compilerOpcodeMet = met(record.compilerOpcode, opcodes);
            }
            case LAYER -> {
                record.layer = find(json, value, layers);
                record.layerMet = met(record.layer, layers);
            }
            case NKI_SOURCE_LOCATION -> {
                record.nkiLine = find(json, value, lines);
                record.nkiLineMet = met(record.nkiLine, lines);
            }
            case BIR_DEBUG_INFO_SOURCE_LOCATION -> {
                record.compiledLine = find(json, value, lines);
                record.compiledLineMet = met(record.compiledLine, lines);
            }
            case SPILL_SAVE_BYTES, SPILL_RELOAD_BYTES ->
                record.spilled = EventTally.plus(record.spilled, EventNumbers.nanos(json, value));
            case HLO_NAME -> hloName(json, value);
            case OPERANDS -> {
                if (mayBeLong() && isText(json, value)) {
                    record.operands.set(json.getStringCharacters(), json.getStringOffset(), json.getStringLength());
                }
            }
        }
    }

    private void hloName(JsonParser json, JsonToken value) {
        if ((hloNameMask != 0 || mayBeLong()) && isText(json, value)) {
            char[] buffer = json.getStringCharacters();
            record.hloName.set(buffer, json.getStringOffset(), json.getStringLength());
            record.hloNameMet = hloNameMask == 0
                    ? 0
                    : conditions.metBy(new String(buffer, json.getStringOffset(), json.getStringLength()));
        }
    }

    /** Whether the instruction may be among the longest; unknown while its duration is. */
    private boolean mayBeLong() {
        return record.duration == EventNumbers.ABSENT || ranking.wants(record.duration);
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

    private static @Nullable EventName find(JsonParser json, JsonToken value, EventNames names) {
        if (!isText(json, value)) {
            return null;
        }
        char[] buffer = json.getStringCharacters();
        int length = json.getStringLength();
        return length == 0 ? null : names.find(buffer, json.getStringOffset(), length);
    }

    private static long met(@Nullable EventName name, EventNames names) {
        return name == null ? 0 : names.met();
    }

    private void add(InstructionRecord record) {
        long duration = record.duration;
        if (!instructionFaults.isUsable(duration)) {
            return;
        }
        long spilled = record.spilled;
        instructions.add(duration, spilled);
        add(record.engine(), engines, duration, spilled);
        add(record.anyOpcode(), opcodes, duration, spilled);
        add(record.layer, layers, duration, spilled);
        add(record.line(), lines, duration, spilled);
        long met = record.engineMet() & engineMask
                | record.anyOpcodeMet() & opcodeMask
                | record.compilerOpcodeMet & compilerOpcodeMask
                | record.layerMet & layerMask
                | record.lineMet() & lineMask
                | record.hloNameMet & hloNameMask;
        if (met != 0) {
            for (int query = 0; query < predicates.length; query++) {
                if (predicates[query].test(met)) {
                    found[query].add(duration, spilled);
                }
            }
        }
        if (ranking.wants(duration)) {
            ranking.add(record.toEvent());
        }
    }

    private static void add(@Nullable EventName name, EventNames names, long duration, long spilled) {
        (name == null ? names.none() : name).add(duration, spilled);
    }

    private void transfers(JsonParser json, JsonToken value) {
        if (isArray(json, value, transferFaults)) {
            expected = "the next DMA transfer, or the end of the array";
            for (JsonToken token = next(json); token != JsonToken.END_ARRAY; token = next(json)) {
                if (token == JsonToken.START_OBJECT) {
                    transfer(json);
                } else {
                    transferFaults.noObject();
                    json.skipChildren();
                }
            }
            expected = "the next array of the object, or its end";
        }
    }

    private void transfer(JsonParser json) {
        long duration = EventNumbers.ABSENT;
        boolean duplicate = false;
        EventName queue = null;
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
                case DUPLICATE -> duplicate = isTrue(json, value);
            }
        }
        if (duplicate) {
            duplicates++;
        }
        if (transferFaults.isUsable(duration)) {
            transfers.add(duration);
            add(queue, queues, duration, EventNumbers.ABSENT);
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
        expected = "the next array of the object, or its end";
    }

    private void summaryElement(JsonParser json) {
        if (summaries++ > 0) {
            json.skipChildren();
            return;
        }
        for (String name = json.nextName(); name != null; name = json.nextName()) {
            JsonToken value = next(json);
            boolean number = value.isNumeric();
            double read = EventNumbers.number(json, value);
            if (Double.isNaN(read)) {
                unreadableNumbers += number ? 1 : 0;
            } else if (summaryNumbers.size() < MOST_NUMBERS) {
                summaryNumbers.put(name, read);
            } else {
                tooManyNumbers = true;
            }
        }
        if (json.currentToken() != JsonToken.END_OBJECT) {
            throw malformed(json, "it ends there");
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
        expected = "the next array of the object, or its end";
    }

    private void warning(String text) {
        if (!text.isEmpty() && allWarnings++ < MOST_WARNINGS) {
            warnings.add(text);
        }
    }

    private String warningObject(JsonParser json) {
        String message = "";
        String category = "";
        for (int match = json.nextNameMatch(warningFields.matcher());
                match != PropertyNameMatcher.MATCH_END_OBJECT;
                match = json.nextNameMatch(warningFields.matcher())) {
            JsonToken value = next(json);
            if (!warningFields.isField(match)) {
                json.skipChildren();
                continue;
            }
            switch (warningFields.field(match)) {
                case MESSAGE -> message = text(json, value);
                case CATEGORY -> category = text(json, value);
            }
        }
        return warning(category, message);
    }

    static String warning(String category, String message) {
        return message.isEmpty() || category.isEmpty() ? category + message : category + ": " + message;
    }

    private static String text(JsonParser json, JsonToken value) {
        if (!isText(json, value)) {
            return "";
        }
        return cut(json.getString());
    }

    static String cut(String warning) {
        return warning.length() <= LONGEST_WARNING ? warning : warning.substring(0, LONGEST_WARNING) + "...";
    }

    private ProfileEventsException malformed(JsonParser json, String what) {
        return malformed(Math.max(0, json.currentLocation().getByteOffset()), what, null);
    }

    private ProfileEventsException malformed(long offset, String what, @Nullable Exception cause) {
        return ProfileEventsException.malformed(offset, completeRecords(), what, expected, events(), cause);
    }

    private ProfileEventsException unreadable(Exception cause) {
        return ProfileEventsException.unreadable(completeRecords(), expected, events(), cause);
    }

    private long completeRecords() {
        return instructionFaults.records() + transferFaults.records();
    }

    private ProfileEvents events() {
        Map<String, EventSummary> answers = new LinkedHashMap<>();
        int query = 0;
        for (String name : queries.keySet()) {
            answers.put(name, found[query++].summary("query " + name));
        }
        return new ProfileEvents(new EventContent(
                file,
                instructions.summary("instructions"),
                engines.summaries(),
                opcodes.summaries(),
                layers.summaries(),
                lines.summaries(),
                Map.of(),
                complete(),
                transfers.summary("DMA transfers"),
                queues.summaries(),
                ranking.longest(),
                keptLongest,
                queries,
                Collections.unmodifiableMap(answers),
                Collections.unmodifiableMap(new LinkedHashMap<>(summaryNumbers)),
                List.copyOf(warnings),
                notices()));
    }

    private Set<Field> complete() {
        Set<Field> complete = EnumSet.noneOf(Field.class);
        if (engines.isComplete()) {
            complete.add(Field.ENGINE);
        }
        if (opcodes.isComplete()) {
            complete.add(Field.OPCODE);
        }
        if (layers.isComplete()) {
            complete.add(Field.LAYER);
        }
        if (lines.isComplete()) {
            complete.add(Field.LINE);
        }
        return complete;
    }

    private List<String> notices() {
        List<String> notices = new ArrayList<>(instructionFaults.notices());
        notices.addAll(transferFaults.notices());
        if (duplicates > 0) {
            notices.add(String.format(
                    Locale.ROOT,
                    "dma: %,d of %,d records are marked as duplicates, a known fault of the tools. They are in the sums; take bytes from the summary.",
                    duplicates,
                    transferFaults.records()));
        }
        for (EventNames names : List.of(engines, opcodes, layers, lines, queues)) {
            notices.addAll(names.notices());
        }
        if (unreadableNumbers > 0) {
            notices.add(
                    String.format(Locale.ROOT, "summary: %,d numbers are not finite and left out.", unreadableNumbers));
        }
        if (tooManyNumbers) {
            notices.add(String.format(Locale.ROOT, "summary: only the first %,d numbers are kept.", MOST_NUMBERS));
        }
        if (summaries > 1) {
            notices.add(String.format(Locale.ROOT, "summary: the first of %,d elements is taken.", summaries));
        }
        if (allWarnings > MOST_WARNINGS) {
            notices.add(
                    String.format(Locale.ROOT, "warnings: the first %,d of %,d are kept.", MOST_WARNINGS, allWarnings));
        }
        return List.copyOf(notices);
    }
}
