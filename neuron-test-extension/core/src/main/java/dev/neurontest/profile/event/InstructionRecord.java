package dev.neurontest.profile.event;

import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The instruction that is being read; one for a whole file. */
final class InstructionRecord {

    long timestamp;
    long duration;

    @Nullable
    EventName label;

    long labelMet;

    @Nullable
    EventName subgroup;

    long subgroupMet;

    @Nullable
    EventName opcode;

    long opcodeMet;

    @Nullable
    EventName compilerOpcode;

    long compilerOpcodeMet;

    @Nullable
    EventName layer;

    long layerMet;

    @Nullable
    EventName nkiLine;

    long nkiLineMet;

    @Nullable
    EventName compiledLine;

    long compiledLineMet;
    long spilled;
    long hloNameMet;
    final EventCharacters hloName = new EventCharacters();
    final EventCharacters operands = new EventCharacters();

    void clear() {
        timestamp = EventNumbers.ABSENT;
        duration = EventNumbers.ABSENT;
        label = null;
        labelMet = 0;
        subgroup = null;
        subgroupMet = 0;
        opcode = null;
        opcodeMet = 0;
        compilerOpcode = null;
        compilerOpcodeMet = 0;
        layer = null;
        layerMet = 0;
        nkiLine = null;
        nkiLineMet = 0;
        compiledLine = null;
        compiledLineMet = 0;
        spilled = EventNumbers.ABSENT;
        hloNameMet = 0;
        hloName.clear();
        operands.clear();
    }

    @Nullable
    EventName engine() {
        return label == null ? subgroup : label;
    }

    long engineMet() {
        return label == null ? subgroupMet : labelMet;
    }

    @Nullable
    EventName anyOpcode() {
        return opcode == null ? compilerOpcode : opcode;
    }

    long anyOpcodeMet() {
        return opcode == null ? compilerOpcodeMet : opcodeMet;
    }

    /** What a person wrote as a kernel is nearer than what the compiler made of a model. */
    @Nullable
    EventName line() {
        return nkiLine == null ? compiledLine : nkiLine;
    }

    long lineMet() {
        return nkiLine == null ? compiledLineMet : nkiLineMet;
    }

    InstructionEvent toEvent() {
        return new InstructionEvent(
                timestamp < 0 ? OptionalLong.empty() : OptionalLong.of(timestamp),
                Duration.ofNanos(duration),
                text(engine()),
                text(anyOpcode()),
                text(layer),
                hloName.toString(),
                operands.toString());
    }

    private static String text(@Nullable EventName name) {
        return name == null ? "" : name.text;
    }
}
