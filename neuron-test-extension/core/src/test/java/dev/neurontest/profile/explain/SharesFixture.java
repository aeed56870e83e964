package dev.neurontest.profile.explain;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Shares for tests; times are in microseconds. */
public final class SharesFixture {

    private final Map<String, String> about = new TreeMap<>();
    private final Map<Grouping, Map<String, EventShare>> groups = new EnumMap<>(Grouping.class);
    private OptionalLong execution = OptionalLong.empty();
    private OptionalLong spilled = OptionalLong.empty();

    private SharesFixture() {}

    public static SharesFixture shares() {
        return new SharesFixture();
    }

    public SharesFixture about(String part, String value) {
        about.put(part, value);
        return this;
    }

    public SharesFixture execution(long micros) {
        execution = OptionalLong.of(micros * 1000);
        return this;
    }

    public SharesFixture spilled(long bytes) {
        spilled = OptionalLong.of(bytes);
        return this;
    }

    public SharesFixture line(String name, long micros, long count) {
        return add(Grouping.LINE, name, micros, count, OptionalLong.empty());
    }

    public SharesFixture line(String name, long micros, long count, long bytes) {
        return add(Grouping.LINE, name, micros, count, OptionalLong.of(bytes));
    }

    public SharesFixture layer(String name, long micros, long count) {
        return add(Grouping.LAYER, name, micros, count, OptionalLong.empty());
    }

    public SharesFixture opcode(String name, long micros, long count) {
        return add(Grouping.OPCODE, name, micros, count, OptionalLong.empty());
    }

    public SharesFixture engine(String name, long micros, long count) {
        return add(Grouping.ENGINE, name, micros, count, OptionalLong.empty());
    }

    public SharesFixture queue(String name, long micros, long count) {
        return add(Grouping.QUEUE, name, micros, count, OptionalLong.empty());
    }

    private SharesFixture add(Grouping grouping, String name, long micros, long count, OptionalLong bytes) {
        groups.computeIfAbsent(grouping, none -> new LinkedHashMap<>())
                .put(name, new EventShare(micros * 1000, count, bytes));
        return this;
    }

    public EventShares made() {
        return new EventShares(new TreeMap<>(about), execution, spilled, groups);
    }
}
