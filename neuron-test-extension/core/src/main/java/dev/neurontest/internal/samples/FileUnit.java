package dev.neurontest.internal.samples;

import dev.neurontest.metric.Unit;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The unit of a number in a file, and its base unit.
 *
 * @param unit the base unit
 * @param perBase the number of its units in the base unit, such as 1,000 for milliseconds
 */
record FileUnit(Unit unit, double perBase) {

    static final FileUnit SECONDS = new FileUnit(Unit.SECONDS, 1);
    static final FileUnit MILLISECONDS = new FileUnit(Unit.SECONDS, 1_000);
    static final FileUnit PER_SECOND = new FileUnit(Unit.PER_SECOND, 1);
    static final FileUnit COUNT = new FileUnit(Unit.COUNT, 1);

    private static final Map<String, FileUnit> BY_SYMBOL = new LinkedHashMap<>();

    static {
        BY_SYMBOL.put("s", SECONDS);
        BY_SYMBOL.put("ms", MILLISECONDS);
        BY_SYMBOL.put("us", new FileUnit(Unit.SECONDS, 1e6));
        BY_SYMBOL.put("ns", new FileUnit(Unit.SECONDS, 1e9));
        BY_SYMBOL.put("/s", PER_SECOND);
        BY_SYMBOL.put("B", new FileUnit(Unit.BYTES, 1));
        BY_SYMBOL.put("KiB", new FileUnit(Unit.BYTES, 1.0 / (1 << 10)));
        BY_SYMBOL.put("MiB", new FileUnit(Unit.BYTES, 1.0 / (1 << 20)));
        BY_SYMBOL.put("GiB", new FileUnit(Unit.BYTES, 1.0 / (1 << 30)));
        BY_SYMBOL.put("%", new FileUnit(Unit.FRACTION, 100));
        BY_SYMBOL.put("fraction", new FileUnit(Unit.FRACTION, 1));
        BY_SYMBOL.put("count", COUNT);
    }

    static Optional<FileUnit> of(String symbol) {
        return Optional.ofNullable(BY_SYMBOL.get(symbol));
    }

    static Collection<String> symbols() {
        return BY_SYMBOL.keySet();
    }

    double toBase(double value) {
        return value / perBase;
    }
}
