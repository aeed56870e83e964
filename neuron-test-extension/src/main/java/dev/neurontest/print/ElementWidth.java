package dev.neurontest.print;

import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/** How many bits an element of a dtype has, where sources agree on that. They do not for the packed ones. */
final class ElementWidth {

    private static final Map<String, Integer> BITS = Map.ofEntries(
            Map.entry("int8", 8),
            Map.entry("uint8", 8),
            Map.entry("int16", 16),
            Map.entry("uint16", 16),
            Map.entry("int32", 32),
            Map.entry("uint32", 32),
            Map.entry("int64", 64),
            Map.entry("uint64", 64),
            Map.entry("float16", 16),
            Map.entry("fp16", 16),
            Map.entry("bfloat16", 16),
            Map.entry("bf16", 16),
            Map.entry("float32", 32),
            Map.entry("fp32", 32),
            Map.entry("float32r", 32),
            Map.entry("float8e3m4", 8),
            Map.entry("float8e4m3", 8),
            Map.entry("float8e4m3fn", 8),
            Map.entry("float8e5m2", 8));

    private ElementWidth() {}

    static OptionalInt bits(String dtype) {
        Integer bits = BITS.get(dtype);
        if (bits == null) {
            bits = BITS.get(dtype.toLowerCase(Locale.ROOT).replace("float8_e", "float8e"));
        }
        return bits == null ? OptionalInt.empty() : OptionalInt.of(bits);
    }
}
