package dev.neurontest.internal.platform;

import dev.neurontest.fake.FakeTimeline;
import java.util.List;
import org.apiguardian.api.API;

/** The changes on a recorded host after the beginning of its recording. They are only replayed on request. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ReplayedTimeline {

    private final FakeTimeline timeline;
    private final boolean happens;

    ReplayedTimeline(FakeTimeline timeline, boolean happens) {
        this.timeline = timeline;
        this.happens = happens;
    }

    /** Checks whether the changes can be replayed; false for {@code ?timeline=static}, where the host does not change. */
    public boolean happens() {
        return happens;
    }

    /** Returns the names of moments, in order. */
    public List<String> marks() {
        return timeline.marks();
    }

    /** Starts replaying the changes at their recorded speed. */
    public void play() {
        if (happens) {
            timeline.play();
        }
    }

    /** Ends the replay: makes all remaining changes at once. */
    public void end() {
        if (happens) {
            timeline.end();
        }
    }
}
