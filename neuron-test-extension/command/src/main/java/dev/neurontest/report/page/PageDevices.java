package dev.neurontest.report.page;

import dev.neurontest.report.ReportedQuarantine;
import dev.neurontest.report.ReportedTest;
import dev.neurontest.report.RunReport;
import dev.neurontest.report.TestOutcome;
import dev.neurontest.text.CountText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Devices: what ran on them, when, and which error counters moved meanwhile. */
final class PageDevices {

    /** A picture of more would be unreadable; the tables below have all of them. */
    private static final int MOST_LANES = 64;

    private static final int MOST_ERRORS = 100;
    private static final int MOST_NAMED = 20;

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
    record MovedError(ReportedTest test, RecordedCounters.Change change) {

        Instant at() {
            return CoreStory.end(test);
        }
    }

    /** What is drawn of one device: how the worst test of each piece of time did, where errors moved, and when it had a core in quarantine. */
    private static final class Lane {

        private final TestOutcome[] worst = new TestOutcome[PIECES];
        private final Map<Integer, List<String>> errors = new TreeMap<>();
        private final List<Integer> quarantines = new ArrayList<>();
        private int failed;
        private long moved;

        DrawnLane drawn(String host, String name) {
            List<Span> spans = new ArrayList<>();
            for (int i = 0; i < PIECES; i++) {
                int first = i;
                while (i + 1 < PIECES && kind(worst[i + 1]).equals(kind(worst[first]))) {
                    i++;
                }
                if (worst[first] != null) {
                    spans.add(Span.of(kind(worst[first]), first, i, "0", "60%"));
                }
            }
            quarantines.forEach(from -> spans.add(Span.of("quarantine", from, PIECES - 1, "72%", "28%")));
            List<ErrorMark> marks = new ArrayList<>();
            errors.forEach((piece, moved) -> marks.add(new ErrorMark(
                    100.0 * (piece + 0.5) / PIECES,
                    moved.stream().limit(MOST_NAMED).collect(Collectors.joining("\n")))));
            String said = (failed == 0 ? "" : failed + " failed ") + (moved == 0 ? "" : CountText.of(moved, "error"));
            return new DrawnLane(host, name, said.strip(), spans, marks);
        }

        private static String kind(@Nullable TestOutcome worst) {
            if (worst == null) {
                return "";
            }
            return switch (worst) {
                case FAILED, LOST -> "failed";
                case UNDECIDED, ABORTED -> "undecided";
                case SKIPPED, PASSED -> "passed";
            };
        }
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
        lanes.computeIfAbsent(device, none -> new Lane()).quarantines.add(piece(quarantine.at()));
    }

    private int piece(Instant at) {
        return (int) Math.max(
                0, Math.min(PIECES - 1, PIECES * Duration.between(start, at).toMillis() / millis));
    }

    private List<Map.Entry<CoreStory.Device, Lane>> drawn() {
        return lanes.entrySet().stream()
                .sorted(Comparator.comparing(each -> each.getValue().failed == 0 && each.getValue().moved == 0))
                .limit(MOST_LANES)
                .sorted(Map.Entry.comparingByKey(BY_NUMBER))
                .toList();
    }

    /** Over the time of the run. */
    List<DrawnLane> lanes() {
        List<DrawnLane> drawn = new ArrayList<>();
        String host = "";
        for (Map.Entry<CoreStory.Device, Lane> each : drawn()) {
            CoreStory.Device device = each.getKey();
            drawn.add(each.getValue().drawn(device.host().equals(host) ? "" : device.host(), device.name()));
            host = device.host();
        }
        return drawn;
    }

    /** A rectangle of a lane, in percent of its width. */
    record Span(String kind, double x, double width, String y, String height) {

        private static Span of(String kind, int first, int last, String y, String height) {
            return new Span(kind, 100.0 * first / PIECES, 100.0 * (last + 1 - first) / PIECES, y, height);
        }
    }

    /** Errors at a place of a lane. */
    record ErrorMark(double x, String said) {}

    /** What the page shows of a device; the host where it is the first one of that. */
    record DrawnLane(String host, String name, String said, List<Span> spans, List<ErrorMark> errors) {}

    Instant start() {
        return start;
    }

    Instant end() {
        return start.plusMillis(millis);
    }

    String notDrawn() {
        int count = lanes.size() - drawn().size();
        return count == 0 ? "" : CountText.of(count, "device");
    }

    List<MovedError> movedErrors() {
        return errors.stream()
                .sorted(Comparator.comparing(MovedError::at))
                .limit(MOST_ERRORS)
                .toList();
    }

    int moreErrors() {
        return Math.max(0, errors.size() - MOST_ERRORS);
    }
}
