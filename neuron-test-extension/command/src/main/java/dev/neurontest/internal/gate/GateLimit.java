package dev.neurontest.internal.gate;

import java.util.OptionalLong;

/**
 * What a gate accepts.
 *
 * @param value a number, or nanoseconds; empty where everything is accepted
 * @param text as it was written
 * @param source where that was
 */
record GateLimit(OptionalLong value, String text, String source) {}
