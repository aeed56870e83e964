package dev.neurontest.profile.system;

import dev.neurontest.file.InputFile;
import dev.neurontest.json.LargeJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads {@code system_profile.json} of tools up to SDK 2.33, where there are no tables. Numbers may be texts in it. */
final class SystemJson {

    private static final int MOST_EVENTS = 1_000_000;

    /** The members that are read. Others take no memory, however many an object has. */
    private static final Set<String> MEMBERS =
            Set.of("name", "timestamp", "duration", "lnc_idx", "process_id", "thread_id", "util", "usage");

    private final Path file;
    private final long mostPerCore;
    private final List<Event> events = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>();
    private double cpu;
    private long cpuSamples;
    private double mostCpu;
    private long mostMemory = -1;

    private record Event(String name, boolean onDevice, String lane, String core, long start, long took) {

        long end() {
            return start + took;
        }
    }

    SystemJson(Path file, long mostPerCore) {
        this.file = file;
        this.mostPerCore = mostPerCore;
    }

    SystemEvents read() throws IOException {
        boolean any = false;
        try (InputStream stream = InputFile.EVENTS.open(file);
                JsonParser parser = LargeJson.parser(stream)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("%s is no JSON object.".formatted(file));
            }
            for (String group = parser.nextName(); group != null; group = parser.nextName()) {
                parser.nextToken();
                if (group.equals("trace_events") && parser.currentToken() == JsonToken.START_ARRAY) {
                    any = true;
                }
                read(group, parser);
            }
        } catch (JacksonException e) {
            throw new IOException("%s cannot be read to its end: %s".formatted(file, e.getOriginalMessage()), e);
        }
        if (!any) {
            throw new IOException("%s has no trace_events, as a system profile has.".formatted(file));
        }
        return new SystemEvents(times(), timeline(), use(), dropped(), List.of());
    }

    private void read(String group, JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                parser.skipChildren();
                continue;
            }
            Map<String, String> members = new HashMap<>();
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                if (parser.nextToken().isScalarValue()) {
                    if (MEMBERS.contains(name)) {
                        members.put(name, String.valueOf(parser.getString()));
                    }
                } else {
                    parser.skipChildren();
                }
            }
            switch (group) {
                case "trace_events" -> event(members);
                case "cpu_util" -> cpu(members);
                case "mem_usage" -> mostMemory = Math.max(mostMemory, number(members, "usage", -1));
                default -> {
                    // Groups of other versions.
                }
            }
        }
    }

    private void event(Map<String, String> members) throws IOException {
        if (events.size() == MOST_EVENTS) {
            throw new IOException(String.format(
                    Locale.ROOT,
                    "%s has more than %,d events, which only tables can hold. Add DuckDB, or trace less, such as by eventTypes(...).",
                    file,
                    MOST_EVENTS));
        }
        String name = members.getOrDefault("name", "");
        long start = number(members, "timestamp", -1);
        long took = number(members, "duration", -1);
        if (name.isEmpty() || start < 0 || took < 0) {
            throw new IOException(
                    "%s has an event without name, timestamp or duration: %s".formatted(file, new TreeMap<>(members)));
        }
        String core = members.getOrDefault("lnc_idx", "");
        String process = members.getOrDefault("process_id", "?");
        boolean onDevice = name.startsWith("nc_");
        events.add(new Event(
                same(name),
                onDevice,
                same(
                        onDevice
                                ? "nc" + (core.isEmpty() ? "?" : core)
                                : "process %s thread %s".formatted(process, members.getOrDefault("thread_id", "?"))),
                core.isEmpty() ? "" : same("nc%s of process %s".formatted(core, process)),
                start,
                took));
    }

    private String same(String text) {
        return names.computeIfAbsent(text, each -> each);
    }

    private void cpu(Map<String, String> members) {
        try {
            double use = Double.parseDouble(members.getOrDefault("util", ""));
            cpu += use;
            cpuSamples++;
            mostCpu = Math.max(mostCpu, use);
        } catch (NumberFormatException none) {
            // A sample without a number is none.
        }
    }

    private static long number(Map<String, String> members, String name, long otherwise) {
        @Nullable String text = members.get(name);
        try {
            return text == null ? otherwise : Long.parseLong(text);
        } catch (NumberFormatException none) {
            return otherwise;
        }
    }

    private List<EventTimes> times() {
        return events.stream().collect(Collectors.groupingBy(Event::name)).entrySet().stream()
                .map(each -> times(each.getKey(), each.getValue()))
                .sorted(Comparator.comparing(EventTimes::total).reversed().thenComparing(EventTimes::name))
                .toList();
    }

    private static EventTimes times(String name, List<Event> events) {
        long[] sorted = events.stream().mapToLong(Event::took).sorted().toArray();
        return new EventTimes(
                name,
                events.get(0).onDevice(),
                sorted.length,
                Duration.ofNanos(Arrays.stream(sorted).sum()),
                percentile(sorted, 50),
                percentile(sorted, 99),
                Duration.ofNanos(sorted[sorted.length - 1]));
    }

    private static Duration percentile(long[] sorted, int percent) {
        return Duration.ofNanos(sorted[(int) (((long) sorted.length * percent + 99) / 100) - 1]);
    }

    private Timeline timeline() {
        if (events.isEmpty()) {
            return Timeline.EMPTY;
        }
        long start = events.stream().mapToLong(Event::start).min().orElseThrow();
        long end = events.stream().mapToLong(Event::end).max().orElseThrow();
        Map<String, List<Event>> lanes = events.stream().collect(Collectors.groupingBy(Event::lane));
        List<Timeline.Lane> drawn = lanes.entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<String, List<Event>> lane) ->
                                !lane.getValue().get(0).onDevice())
                        .thenComparing(lane ->
                                -lane.getValue().stream().mapToLong(Event::took).sum()))
                .limit(Timeline.MOST_LANES)
                .map(lane -> lane(lane.getKey(), lane.getValue(), start, Math.max(1, end - start)))
                .toList();
        return new Timeline(start, end, drawn, lanes.size() - drawn.size());
    }

    private static Timeline.Lane lane(String name, List<Event> events, long start, long span) {
        boolean single = events.size() <= Timeline.MOST_BARS;
        List<Timeline.Bar> bars = events.stream()
                .collect(Collectors.groupingBy(event -> single
                        ? List.of(event.start(), event.name())
                        : List.of((event.start() - start) * Timeline.PIECES / span)))
                .values()
                .stream()
                .map(SystemJson::bar)
                .sorted(Comparator.comparingLong((Timeline.Bar bar) -> bar.start() - bar.end()))
                .toList();
        return new Timeline.Lane(name, events.get(0).onDevice(), events.size(), bars);
    }

    private static Timeline.Bar bar(List<Event> events) {
        return new Timeline.Bar(
                events.stream()
                        .max(Comparator.comparingLong(Event::took))
                        .orElseThrow()
                        .name(),
                events.size(),
                events.stream().mapToLong(Event::start).min().orElseThrow(),
                events.stream().mapToLong(Event::end).max().orElseThrow());
    }

    private HostUse use() {
        return new HostUse(
                cpuSamples == 0 ? OptionalDouble.empty() : OptionalDouble.of(cpu / cpuSamples),
                cpuSamples == 0 ? OptionalDouble.empty() : OptionalDouble.of(mostCpu),
                mostMemory < 0 ? OptionalLong.empty() : OptionalLong.of(mostMemory));
    }

    private List<String> dropped() {
        return events.stream()
                .filter(event -> !event.core().isEmpty())
                .collect(Collectors.groupingBy(Event::core, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .filter(core -> core.getValue() >= mostPerCore)
                .map(core -> SystemEvents.full(core.getKey(), core.getValue(), mostPerCore))
                .toList();
    }
}
