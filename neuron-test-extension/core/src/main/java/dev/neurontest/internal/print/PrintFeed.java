package dev.neurontest.internal.print;

import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintSource;
import java.util.List;
import org.apiguardian.api.API;

/** A source of the prints of one test while it runs. Each list is a snapshot without a copy; prints are decoded lazily. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface PrintFeed {

    /** Waits, for a limited time, until all prints before this call have arrived, as far as this is detectable. */
    void settle();

    /**
     * Returns the prints that have arrived so far.
     *
     * @return prints in the order of arrival; later calls return longer lists
     */
    List<DevicePrint> prints();

    /**
     * Returns the events that have arrived so far and are not prints.
     *
     * @return events in the order of arrival
     */
    List<OddEvent> oddEvents();

    /**
     * Returns the problems detected so far.
     *
     * @return empty when all prints have arrived
     */
    List<PrintDoubt> doubts();

    /**
     * Returns whether completeness is proven. A proof is possible only for a feed that reads a stream itself from its beginning.
     *
     * @return false when there are doubts, and when lost prints are not counted
     */
    default boolean isProven() {
        return false;
    }

    /**
     * Returns the oddities so far that do not cause missing prints.
     *
     * @return sentences
     */
    default List<String> notices() {
        return List.of();
    }

    /**
     * Returns the programs on several hosts that have ended so far, with those that printed nothing.
     *
     * @return empty on one host
     */
    default List<PrintSource> sources() {
        return List.of();
    }

    /**
     * Creates a feed of several sources.
     *
     * @param feeds the sources of one test
     * @return prints of all sources in the order of arrival
     */
    static PrintFeed of(List<PrintFeed> feeds) {
        return feeds.size() == 1 ? feeds.get(0) : new CombinedFeed(feeds);
    }
}
