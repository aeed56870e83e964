package dev.neurontest.profile.explain;

import dev.neurontest.json.Json;
import dev.neurontest.json.JsonException;
import dev.neurontest.json.JsonValue;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The text of shares that are kept: {@code version}, {@code kind} ({@code event-shares}), {@code about}, {@code executionNs}, {@code
 * spilledBytes}, and for each grouping an object with {@code ns}, {@code count} and {@code spilledBytes} of each name. Each name has a
 * line of its own, so that a review shows what changed.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class EventSharesJson {

    /** What tells such a file from others. */
    static final String KIND = "event-shares";

    private static final int VERSION = 1;

    /** Files lie beside baselines in version control. */
    private static final int LARGEST = 100 << 10;

    private static final int MOST_NAMES = 200;
    private static final int FEWEST_NAMES = 10;

    private EventSharesJson() {}

    /**
     * Writes shares.
     *
     * @param shares any number of names
     * @return at most 100 KiB: those that took most time are kept, 200 of each grouping or fewer, the rest is {@code (others)}
     */
    public static String write(EventShares shares) {
        String text = text(shares.atMost(MOST_NAMES));
        for (int names = MOST_NAMES / 2; size(text) > LARGEST && names >= FEWEST_NAMES; names /= 2) {
            text = text(shares.atMost(names));
        }
        return text;
    }

    private static int size(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String text(EventShares shares) {
        StringJoiner members = new StringJoiner(",\n  ", "{\n  ", "\n}\n");
        members.add("\"version\": " + VERSION);
        members.add("\"kind\": \"" + KIND + "\"");
        StringJoiner about = new StringJoiner(", ", "\"about\": {", "}");
        shares.about().forEach((name, value) -> about.add(quoted(name) + ": " + quoted(value)));
        members.add(about.toString());
        shares.executionNanos().ifPresent(nanos -> members.add("\"executionNs\": " + nanos));
        shares.spilledBytes().ifPresent(bytes -> members.add("\"spilledBytes\": " + bytes));
        for (Grouping grouping : Grouping.values()) {
            StringJoiner names = new StringJoiner(",\n    ", "{\n    ", "\n  }").setEmptyValue("{}");
            shares.group(grouping).forEach((name, share) -> names.add(quoted(name) + ": " + text(share)));
            members.add(quoted(grouping.member()) + ": " + names);
        }
        return members.toString();
    }

    private static String text(EventShare share) {
        return "{\"ns\": %s, \"count\": %s%s}"
                .formatted(
                        share.nanos(),
                        share.count(),
                        share.spilledBytes().isPresent()
                                ? ", \"spilledBytes\": " + share.spilledBytes().getAsLong()
                                : "");
    }

    private static String quoted(String text) {
        return Json.text(json -> json.writeString(text));
    }

    /**
     * Reads what was written.
     *
     * @param content of a file
     * @return the shares
     * @throws JsonException when it is something else; it says where, and what was expected
     */
    public static EventShares read(byte[] content) {
        JsonValue whole = JsonValue.parse(content);
        int version = whole.get("version").positive();
        if (version > VERSION) {
            throw whole.get("version")
                    .unexpected("is %s, written by a newer version".formatted(version), "at most " + VERSION);
        }
        if (!whole.get("kind").text().equals(KIND)) {
            throw whole.get("kind").unexpected("\"" + KIND + "\"");
        }
        SortedMap<String, String> about = new TreeMap<>();
        whole.get("about").object().forEach((name, value) -> about.put(name, value.text()));
        Map<Grouping, Map<String, EventShare>> groups = new EnumMap<>(Grouping.class);
        for (Grouping grouping : Grouping.values()) {
            Map<String, EventShare> group = new LinkedHashMap<>();
            whole.get(grouping.member()).object().forEach((name, share) -> group.put(name, share(share)));
            groups.put(grouping, group);
        }
        return new EventShares(about, optional(whole, "executionNs"), optional(whole, "spilledBytes"), groups);
    }

    private static EventShare share(JsonValue share) {
        share.onlyWith(List.of("ns", "count", "spilledBytes"));
        return new EventShare(whole(share.get("ns")), whole(share.get("count")), optional(share, "spilledBytes"));
    }

    private static OptionalLong optional(JsonValue object, String name) {
        return object.find(name).map(value -> OptionalLong.of(whole(value))).orElse(OptionalLong.empty());
    }

    private static long whole(JsonValue value) {
        BigInteger number = value.unsigned();
        if (number.compareTo(BigInteger.valueOf(EventShare.MOST)) > 0) {
            throw value.unexpected("is " + number, "at most " + EventShare.MOST);
        }
        return number.longValue();
    }
}
