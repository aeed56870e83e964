package dev.neurontest.profile.event;

import java.time.Duration;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * One instruction as the full json or the tables have it. Texts are empty when it does not say, and cut to 300 characters.
 *
 * @param timestampNanos when it began, in nanoseconds of the device's clock; empty when the file does not say
 * @param duration how long it took
 * @param engine {@code label}, or else {@code subgroup}
 * @param opcode {@code opcode}, or else {@code compiler_opcode}
 * @param layer {@code layer}
 * @param hloName {@code hlo_name}
 * @param operands {@code operands}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record InstructionEvent(
        OptionalLong timestampNanos,
        Duration duration,
        String engine,
        String opcode,
        String layer,
        String hloName,
        String operands) {}
