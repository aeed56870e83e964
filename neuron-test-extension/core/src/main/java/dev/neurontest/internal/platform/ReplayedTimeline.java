package dev.neurontest.internal.platform;

import dev.neurontest.fake.FakeTimeline;
import java.util.List;
import org.apiguardian.api.API;

/** What happened on a recorded host after the moment at which its recording begins. Nothing of it happens by itself. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ReplayedTimeline {

    private final FakeTimeline timeline;
    private final boolean happens;

    ReplayedTimeline(FakeTimeline timeline, boolean happens) {
        this.timeline = timeline;
        this.happens = happens;
    }

    /**
     * Whether it may happen again.
     *
     * @return false for {@code ?timeline=static}, where the host stays as it is
     */
    public boolean happens() {
        return happens;
    }

    /**
     * The names of moments.
     *
     * @return in their order
     */
    public List<String> marks() {
        return timeline.marks();
    }

    /** Lets it happen from now on, in the time that it took. */
    public void play() {
        if (happens) {
            timeline.play();
        }
    }

    /** Lets everything that is left happen at once. */
    public void end() {
        if (happens) {
            timeline.end();
        }
    }
}
