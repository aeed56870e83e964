package dev.neurontest.internal.gate;

import java.util.OptionalLong;

/**
 * The limit of a gate.
 *
 * @param value a number, or nanoseconds; empty if everything is accepted
 * @param text the limit as it was written
 * @param source the place where it was written
 */
record GateLimit(OptionalLong value, String text, String source) {}
