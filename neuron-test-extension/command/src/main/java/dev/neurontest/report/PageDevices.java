package dev.neurontest.report;

import static dev.neurontest.recording.Markup.escape;
import static dev.neurontest.recording.Markup.number;
import static dev.neurontest.recording.Markup.paragraph;
import static dev.neurontest.report.PageText.isolated;

import dev.neurontest.text.CountText;
import dev.neurontest.text.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Devices and cores: what ran on them, when, and which error counters moved meanwhile. */
final class PageDevices {

    /** A picture of more would be unreadable; the tables below have all of them. */
    private static final int MOST_LANES = 64;

    private static final int MOST_ERRORS = 100;

    /** Into how many pieces the time is cut, however many tests there are. */
    private static final int PIECES = 240;

    private static final Comparator<CoreStory.Device> BY_NUMBER = Comparator.comparing(CoreStory.Device::host)
            .thenComparing(device -> device.name().length())
            .thenComparing(CoreStory.Device::name);

    private final CoreStory story;
    private final Map<CoreStory.Device, Lane> lanes = new HashMap<>();
    private final List<MovedError> errors = new ArrayList<>();
    private final Instant start;
    private final long millis;

    PageDevices(RunReport report, CoreStory story) {
        this.story = story;
        this.start = report.tests().stream()
                .map(ReportedTest::started)
                .min(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
        Instant end = report.tests().stream()
                .map(CoreStory::end)
                .max(Comparator.naturalOrder())
                .orElse(start);
        this.millis = Math.max(1, Duration.between(start, end).toMillis());
        report.tests().forEach(this::add);
        report.quarantines().forEach(this::add);
    }

    /** An error counter that moved while a test ran. */
    private record MovedError(ReportedTest test, RecordedCounters.Change change) {}

    /** What is drawn of one device: how the worst test of each piece of time did, where errors moved, and when it had a core in quarantine. */
    private static final class Lane {

        private final TestOutcome[] worst = new TestOutcome[PIECES];
        private final Map<Integer, List<String>> errors = new TreeMap<>();
        private final List<int[]> quarantines = new ArrayList<>();
        private int failed;
        private long moved;
    }

    private void add(ReportedTest test) {
        List<CoreStory.Device> devices = story.cores(test).stream()
                .map(CoreStory.Core::device)
                .distinct()
                .toList();
        int first = piece(test.started());
        int last = piece(CoreStory.end(test));
        for (CoreStory.Device device : devices) {
            Lane lane = lanes.computeIfAbsent(device, none -> new Lane());
            for (int i = first; i <= last; i++) {
                if (lane.worst[i] == null || test.outcome().compareTo(lane.worst[i]) < 0) {
                    lane.worst[i] = test.outcome();
                }
            }
            lane.failed += CoreStory.isBad(test) ? 1 : 0;
        }
        test.recordings().stream()
                .filter(each -> each.kind().equals(RecordedCounters.KIND))
                .flatMap(each -> RecordedCounters.of(each.recording()).moved().stream())
                .filter(RecordedCounters.Change::isError)
                .forEach(change -> add(test, change, last));
    }

    private void add(ReportedTest test, RecordedCounters.Change change, int piece) {
        errors.add(new MovedError(test, change));
        String device = change.place().split("/", 2)[0];
        Lane lane = lanes.computeIfAbsent(new CoreStory.Device(story.host(test), device), none -> new Lane());
        lane.errors.computeIfAbsent(piece, none -> new ArrayList<>()).add(change.subject() + " " + change.change());
        lane.moved++;
    }

    private void add(ReportedQuarantine quarantine) {
        CoreStory.Device device = new CoreStory.Core(quarantine.host(), quarantine.core()).device();
        lanes.computeIfAbsent(device, none -> new Lane()).quarantines.add(new int[] {piece(quarantine.at()), PIECES - 1
        });
    }

    private int piece(Instant at) {
        return (int) Math.max(
                0, Math.min(PIECES - 1, PIECES * Duration.between(start, at).toMillis() / millis));
    }

    /** A lane for each device over the time of the run, and the error counters that moved. */
    String timeline() {
        if (lanes.isEmpty()) {
            return "";
        }
        List<Map.Entry<CoreStory.Device, Lane>> shown = lanes.entrySet().stream()
                .sorted(Comparator.comparing(each -> each.getValue().failed == 0 && each.getValue().moved == 0))
                .limit(MOST_LANES)
                .sorted(Map.Entry.comparingByKey(BY_NUMBER))
                .toList();
        StringBuilder html = new StringBuilder("<div class=\"lanes\">\n");
        String host = "";
        for (Map.Entry<CoreStory.Device, Lane> each : shown) {
            if (!each.getKey().host().equals(host)) {
                host = each.getKey().host();
                html.append(paragraph("mute", host));
            }
            html.append(lane(each.getKey(), each.getValue()));
        }
        html.append(
                "<div class=\"row scale\"><span></span><span class=\"ends\"><span>%s</span><span>%s UTC</span></span><span></span></div>\n</div>\n"
                        .formatted(PageText.clock(start), PageText.clock(start.plusMillis(millis))));
        if (shown.size() < lanes.size()) {
            html.append(paragraph(
                    "mute",
                    "%s without failures or errors are not drawn."
                            .formatted(CountText.of(lanes.size() - shown.size(), "device"))));
        }
        return html.append(legend()).append(errors()).toString();
    }

    private static String legend() {
        return "<p class=\"legend\"><span class=\"key passed\">test ran</span> <span class=\"key failed\">failed or lost</span> "
                + "<span class=\"key undecided\">undecided or aborted</span> <span class=\"key error\">error counter moved</span> "
                + "<span class=\"key quarantine\">core in quarantine</span></p>\n";
    }

    private static String lane(CoreStory.Device device, Lane lane) {
        StringBuilder shapes = new StringBuilder();
        for (int i = 0; i < PIECES; i++) {
            int first = i;
            while (i + 1 < PIECES && kind(lane.worst[i + 1]).equals(kind(lane.worst[first]))) {
                i++;
            }
            if (lane.worst[first] != null) {
                shapes.append(rectangle(kind(lane.worst[first]), first, i, "0", "60%"));
            }
        }
        lane.quarantines.forEach(each -> shapes.append(rectangle("quarantine", each[0], each[1], "72%", "28%")));
        lane.errors.forEach((piece, moved) ->
                shapes.append("<circle class=\"error\" cx=\"%s%%\" cy=\"72%%\" r=\"4\"><title>%s</title></circle>"
                        .formatted(
                                number(100.0 * (piece + 0.5) / PIECES),
                                escape(String.join("\n", moved.subList(0, Math.min(moved.size(), 20)))))));
        String said = (lane.failed == 0 ? "" : lane.failed + " failed ")
                + (lane.moved == 0 ? "" : CountText.of(lane.moved, "error"));
        return "<div class=\"row\"><span class=\"label\">%s</span><svg class=\"bar lane\" role=\"img\" aria-label=\"%s\"><rect class=\"track\" width=\"100%%\" height=\"60%%\"/>%s</svg><span class=\"value\">%s</span></div>\n"
                .formatted(
                        escape(device.name()),
                        escape((device.name() + ": " + (said.isEmpty() ? "nothing wrong" : said)).strip()),
                        shapes,
                        escape(said.strip()));
    }

    private static String rectangle(String kind, int first, int last, String y, String height) {
        return "<rect class=\"%s\" x=\"%s%%\" width=\"%s%%\" y=\"%s\" height=\"%s\"/>"
                .formatted(
                        kind, number(100.0 * first / PIECES), number(100.0 * (last + 1 - first) / PIECES), y, height);
    }

    private static String kind(TestOutcome worst) {
        if (worst == null) {
            return "";
        }
        return switch (worst) {
            case FAILED, LOST -> "failed";
            case UNDECIDED, ABORTED -> "undecided";
            case SKIPPED, PASSED -> "passed";
        };
    }

    private String errors() {
        PageTable table =
                PageTable.rows("Error counters that moved while a test ran", "When", "Counter", ">Change", "Test");
        errors.stream()
                .sorted(Comparator.comparing(each -> CoreStory.end(each.test())))
                .limit(MOST_ERRORS)
                .forEach(each -> table.markup(
                        "",
                        PageText.clock(CoreStory.end(each.test())),
                        PageText.breakable(each.change().subject()),
                        escape(each.change().change()),
                        isolated(each.test().id().name())));
        return table.html()
                + (errors.size() <= MOST_ERRORS
                        ? ""
                        : paragraph("mute", "and %s more".formatted(errors.size() - MOST_ERRORS)));
    }

    /** A row for each core; its name shows its tests alone in the table of all tests. */
    String cores() {
        PageTable table = PageTable.cards("", "Core", ">Tests", ">Failed", ">Used for", "Quarantine");
        boolean oneHost = story.uses().stream().map(CoreUse::host).distinct().count() < 2;
        for (CoreUse use : story.uses()) {
            table.markup(
                    use.failed() > 0 ? "bad" : "",
                    "<a href=\"#all\" data-core=\"%d\">%s</a>"
                                    .formatted(story.number(CoreStory.core(use)), escape(use.core()))
                            + (oneHost ? "" : " <span class=\"mute\">" + escape(use.host()) + "</span>"),
                    String.valueOf(use.tests()),
                    use.failed() == 0 ? "" : String.valueOf(use.failed()),
                    DurationText.of(use.used()),
                    use.quarantines().stream().map(PageDevices::quarantine).collect(Collectors.joining("; ")));
        }
        return table.html();
    }

    private static String quarantine(ReportedQuarantine quarantine) {
        return "since %s: %s, after %s%s"
                .formatted(
                        PageText.clock(quarantine.at()),
                        escape(quarantine.reason()),
                        isolated(quarantine.test()),
                        quarantine.ended().map(how -> "; ended: " + escape(how)).orElse(""));
    }
}
