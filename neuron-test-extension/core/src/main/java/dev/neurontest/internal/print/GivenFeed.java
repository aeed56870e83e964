package dev.neurontest.internal.print;

import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import java.util.Collections;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A feed that has arrived as a whole. Lists of prints are not copied, since they may be decoded only when they are asked for.
 *
 * @param prints in the order of their arrival
 * @param oddEvents those that are no prints
 * @param doubts why prints may be missing
 * @param notices what is odd about prints that are good nevertheless
 * @param isProven whether nothing can be missing
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record GivenFeed(
        List<DevicePrint> prints,
        List<OddEvent> oddEvents,
        List<PrintDoubt> doubts,
        List<String> notices,
        boolean isProven)
        implements PrintFeed {

    /**
     * Creates a feed of lists that do not change any more.
     *
     * @param prints in the order of their arrival
     * @param oddEvents those that are no prints
     * @param doubts why prints may be missing
     * @param notices what is odd about prints that are good nevertheless
     * @param isProven whether nothing can be missing
     */
    public GivenFeed {
        prints = Collections.unmodifiableList(prints);
        oddEvents = Collections.unmodifiableList(oddEvents);
        doubts = List.copyOf(doubts);
        notices = List.copyOf(notices);
    }

    /**
     * Without proof and without notices.
     *
     * @param prints in the order of their arrival
     * @param oddEvents those that are no prints
     * @param doubts why prints may be missing
     */
    public GivenFeed(List<DevicePrint> prints, List<OddEvent> oddEvents, List<PrintDoubt> doubts) {
        this(prints, oddEvents, doubts, List.of(), false);
    }

    @Override
    public void settle() {}
}
