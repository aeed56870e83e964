package dev.neurontest.life.profile;

import dev.neurontest.profile.Profile;
import dev.neurontest.profile.TracedExecution;
import dev.neurontest.profile.event.ProfileEvents;
import dev.neurontest.profile.event.ProfileEventsException;
import dev.neurontest.profile.report.ProfileJson;
import dev.neurontest.profile.report.ProfilePicture;
import dev.neurontest.profile.report.ProfiledTest;
import dev.neurontest.profile.threshold.ThresholdOutcome;
import dev.neurontest.recording.Attachment;
import dev.neurontest.recording.Recording;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A profile with what became of the thresholds, as it is attached to a test: its picture shows both.
 *
 * @param test what it was made for
 * @param profile what was measured
 * @param outcomes one for each threshold
 */
record JudgedProfile(ProfiledTest test, Profile profile, List<ThresholdOutcome> outcomes) implements Recording {

    JudgedProfile {
        outcomes = List.copyOf(outcomes);
    }

    /** The same when the test is over. */
    JudgedProfile ended(boolean passed) {
        return new JudgedProfile(test.ended(passed), profile, outcomes);
    }

    @Override
    public String kind() {
        return profile.kind();
    }

    @Override
    public String toText() {
        return profile.toText();
    }

    @Override
    public String toJson() {
        return ProfileJson.of(profile, outcomes);
    }

    /** The picture, and the events of each trace that was written as full JSON. */
    @Override
    public List<Attachment> attachments() {
        List<Attachment> attachments = new ArrayList<>();
        attachments.add(text(".html", "text/html", ProfilePicture.html(test, profile, outcomes)));
        for (TracedExecution execution : profile.executions()) {
            execution.fullJson().ifPresent(json -> {
                String number = attachments.size() == 1 ? "" : "-" + attachments.size();
                attachments.add(text("-events" + number + ".txt", "text/plain", events(json)));
            });
        }
        return attachments;
    }

    private static Attachment text(String suffix, String mediaType, String content) {
        return new Attachment(suffix, mediaType, content.getBytes(StandardCharsets.UTF_8));
    }

    private static String events(Path json) {
        try {
            return ProfileEvents.read(json).toText();
        } catch (ProfileEventsException broken) {
            return broken.getMessage() + "\n\n" + broken.partial().toText();
        }
    }
}
