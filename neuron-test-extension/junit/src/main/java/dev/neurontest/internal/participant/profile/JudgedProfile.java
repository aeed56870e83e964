package dev.neurontest.internal.participant.profile;

import dev.neurontest.internal.judgement.Attachment;
import dev.neurontest.internal.judgement.MeasuredTest;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.profile.report.ParquetDigest;
import dev.neurontest.internal.profile.report.ProfileJson;
import dev.neurontest.internal.profile.report.ProfilePicture;
import dev.neurontest.internal.profile.threshold.ThresholdOutcome;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileEvents;
import dev.neurontest.profile.ProfileEventsException;
import dev.neurontest.profile.TablesException;
import dev.neurontest.profile.TraceExport;
import dev.neurontest.profile.TracedExecution;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A profile with the outcomes of its thresholds, as it is attached to a test. Its picture shows both.
 *
 * @param outcomes one outcome for each threshold
 */
record JudgedProfile(MeasuredTest test, Profile profile, List<ThresholdOutcome> outcomes) implements Measurement {

    /** Maximum number of table folders that are read for a report. */
    private static final int MOST_TABLES = 8;

    JudgedProfile {
        outcomes = List.copyOf(outcomes);
    }

    /** Returns a copy for a test that has ended. */
    JudgedProfile ended(boolean passed) {
        return new JudgedProfile(test.ended(passed), profile, outcomes);
    }

    @Override
    public String kind() {
        return Measurement.PROFILE;
    }

    @Override
    public String subject() {
        return profile.title();
    }

    @Override
    public String toText() {
        return profile.toText();
    }

    @Override
    public String toJson() {
        return ProfileJson.of(profile, outcomes);
    }

    /** Returns the picture, the content of the tables, and the events of each trace with full JSON. */
    @Override
    public List<Attachment> attachments() {
        List<ParquetDigest> tables = tables();
        List<Attachment> attachments = new ArrayList<>();
        attachments.add(text(".html", "text/html", ProfilePicture.html(test, profile, outcomes, tables)));
        for (TracedExecution execution : profile.executions()) {
            execution.fullJson().ifPresent(json -> {
                String number = attachments.size() == 1 ? "" : "-" + attachments.size();
                attachments.add(text("-events" + number + ".txt", "text/plain", events(json)));
            });
        }
        for (int at = 0; at < tables.size(); at++) {
            attachments.add(text(
                    "-tables%s.txt".formatted(at == 0 ? "" : "-" + (at + 1)),
                    "text/plain",
                    tables.get(at).toText()));
        }
        return attachments;
    }

    /** Returns the tables of the first traces that have any. */
    private List<ParquetDigest> tables() {
        Map<Path, TracedExecution> traces = new LinkedHashMap<>();
        profile.executions().stream()
                .filter(execution -> execution.tablesFolder().isPresent())
                .forEach(execution -> traces.putIfAbsent(execution.ntff(), execution));
        return traces.values().stream()
                .limit(MOST_TABLES)
                .map(JudgedProfile::digest)
                .toList();
    }

    private static ParquetDigest digest(TracedExecution execution) {
        try {
            return ParquetDigest.of(execution.tables().orElseThrow());
        } catch (TablesException unreadable) {
            return ParquetDigest.trouble(TraceExport.TABLES.of(execution.ntff()), unreadable);
        }
    }

    private static Attachment text(String suffix, String mediaType, String content) {
        return new Attachment(suffix, mediaType, content.getBytes(StandardCharsets.UTF_8));
    }

    private static String events(Path json) {
        try {
            return ProfileEvents.read(json).toText();
        } catch (ProfileEventsException broken) {
            return broken.getMessage()
                    + broken.partial().map(partial -> "\n\n" + partial.toText()).orElse("");
        }
    }
}
