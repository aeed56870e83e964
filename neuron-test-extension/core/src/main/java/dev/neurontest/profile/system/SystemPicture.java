package dev.neurontest.profile.system;

import dev.neurontest.page.PageTemplate;
import dev.neurontest.page.Scale;
import dev.neurontest.profile.Doubt;
import dev.neurontest.text.CountText;
import dev.neurontest.text.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** A system profile as a page: what ran on each core and thread, and when. It needs no script and no network. */
final class SystemPicture {

    private static final PageTemplate PAGE = PageTemplate.of(SystemPicture.class, "system");

    /** In percent: a shorter bar could not be seen on a phone. */
    private static final double LEAST_WIDTH = 0.4;

    /** In percent: a name in a shorter bar could not be read. */
    private static final double LEAST_NAMED = 5;

    private static final int MOST_TICKS = 5;
    private static final int MOST_NAMES = 100;

    private final SystemProfile profile;
    private final Timeline timeline;
    private final Scale scale;
    private final List<String> legend;

    private SystemPicture(SystemProfile profile) {
        this.profile = profile;
        this.timeline = profile.read().timeline();
        this.scale = new Scale(0, span());
        this.legend = SystemProfileText.legend(profile);
    }

    static String html(SystemProfile profile) {
        return PAGE.fill(new SystemPicture(profile));
    }

    private long span() {
        return Math.max(1, timeline.end() - timeline.start());
    }

    /** A rectangle; places in percent. */
    record Drawn(String kind, double x, double width, String said, String name) {}

    /** A core or a thread; the bars of a dense one lie side by side. */
    record Lane(String name, String events, boolean isDense, List<Drawn> bars) {}

    /** A line across all rows. */
    record Tick(double x, String label) {}

    /** A colour with its name. */
    record Key(String kind, String name) {}

    /** A row of the table. */
    record Row(String name, String place, String count, String p50, String p99, String longest, String total) {}

    String title() {
        return "System profile of " + profile.title();
    }

    String origin() {
        return "%s \u00b7 %s"
                .formatted(
                        profile.tool(),
                        CountText.of(
                                timeline.lanes().stream()
                                        .mapToLong(Timeline.Lane::events)
                                        .sum(),
                                "event"));
    }

    List<String> doubts() {
        return profile.doubts().stream().map(Doubt::reason).toList();
    }

    List<Lane> lanes() {
        return timeline.lanes().stream()
                .map(lane -> new Lane(
                        lane.name(),
                        CountText.of(lane.events(), "event"),
                        lane.bars().size() > Timeline.MOST_BARS,
                        lane.bars().stream().map(bar -> drawn(lane, bar)).toList()))
                .toList();
    }

    private Drawn drawn(Timeline.Lane lane, Timeline.Bar bar) {
        double from = scale.at(bar.start() - timeline.start());
        double width = Math.max(LEAST_WIDTH, scale.at(bar.end() - timeline.start()) - from);
        String what = bar.events() == 1
                ? bar.name()
                : "%s, the longest %s".formatted(CountText.of(bar.events(), "event"), bar.name());
        return new Drawn(
                kind(bar.name()),
                Math.min(from, 100 - width),
                width,
                "%s, %s from %s on"
                        .formatted(
                                what,
                                DurationText.exact(Duration.ofNanos(bar.end() - bar.start())),
                                passed(bar.start() - timeline.start())),
                width < LEAST_NAMED || isCovered(lane, bar)
                        ? ""
                        : bar.events() == 1 ? bar.name() : CountText.of(bar.events(), "event"));
    }

    /** Shorter ones lie above longer ones, and a name below them could not be read. */
    private static boolean isCovered(Timeline.Lane lane, Timeline.Bar bar) {
        return lane.bars().stream()
                .skip(lane.bars().indexOf(bar) + 1L)
                .anyMatch(above -> above.start() < bar.end() && above.end() > bar.start());
    }

    private String kind(String event) {
        int place = legend.indexOf(event);
        return place < 0 ? "event" : "event event" + place;
    }

    private static String passed(long nanos) {
        return "+" + DurationText.exact(Duration.ofNanos(nanos));
    }

    List<Tick> ticks() {
        long step = step();
        List<Tick> ticks = new ArrayList<>();
        for (long time = step; time <= span(); time += step) {
            ticks.add(new Tick(scale.at(time), passed(time)));
        }
        return ticks;
    }

    /** 1, 2, 5, 10 and so on. */
    private long step() {
        for (long ten = 1; ; ten *= 10) {
            for (long step : new long[] {ten, 2 * ten, 5 * ten}) {
                if (span() / step <= MOST_TICKS) {
                    return step;
                }
            }
        }
    }

    String whole() {
        return passed(span());
    }

    List<Key> keys() {
        List<Key> keys = new ArrayList<>(IntStream.range(0, legend.size())
                .mapToObj(place -> new Key("event event" + place, legend.get(place)))
                .toList());
        if (profile.events().size() > legend.size()) {
            keys.add(new Key("event", "other"));
        }
        return keys;
    }

    /** A sentence; empty where all rows are drawn. */
    String notDrawn() {
        return timeline.more() > 0
                ? String.format(Locale.ROOT, "%,d more cores and threads are not drawn.", timeline.more())
                : "";
    }

    List<Row> rows() {
        return profile.events().stream()
                .limit(MOST_NAMES)
                .map(each -> new Row(
                        each.name(),
                        each.onDevice() ? "device" : "host",
                        String.format(Locale.ROOT, "%,d", each.count()),
                        DurationText.exact(each.p50()),
                        DurationText.exact(each.p99()),
                        DurationText.exact(each.max()),
                        DurationText.exact(each.total())))
                .toList();
    }

    int moreRows() {
        return Math.max(0, profile.events().size() - MOST_NAMES);
    }

    List<String> host() {
        return SystemProfileText.host(profile.host());
    }

    List<String> notices() {
        return profile.notices();
    }

    String folder() {
        return profile.folder().toString();
    }
}
