package dev.neurontest.internal.print;

import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import java.util.List;
import org.apiguardian.api.API;

/** Where the prints of one test arrive while it runs. Each list is a snapshot that costs no copy; prints are decoded when they are asked for. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface PrintFeed {

    /** Waits, bounded, until everything that was printed before this call has arrived, as far as that can be known. */
    void settle();

    /**
     * What has arrived so far.
     *
     * @return in the order of arrival; a later call gives a longer list
     */
    List<DevicePrint> prints();

    /**
     * What has arrived so far and is no print.
     *
     * @return in the order of arrival
     */
    List<OddEvent> oddEvents();

    /**
     * What is known to be wrong so far.
     *
     * @return none when everything that was printed is here
     */
    List<PrintDoubt> doubts();

    /**
     * Whether it is proven that nothing is missing, as only those can prove it who read a stream themselves from its beginning.
     *
     * @return false when there are doubts, and where nothing counts what is lost
     */
    default boolean isProven() {
        return false;
    }

    /**
     * What is odd so far, though no print is missing for it.
     *
     * @return sentences
     */
    default List<String> notices() {
        return List.of();
    }

    /**
     * Several ways at once.
     *
     * @param feeds the ways of one test
     * @return what has arrived by any of them, in the order of arrival
     */
    static PrintFeed of(List<PrintFeed> feeds) {
        return feeds.size() == 1 ? feeds.get(0) : new CombinedFeed(feeds);
    }
}
