package dev.neurontest.internal.print;

import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintSource;
import java.util.Collections;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A feed with fixed content. Lists of prints are not copied, because they may be decoded lazily.
 *
 * @param prints prints in the order of arrival
 * @param oddEvents events that are not prints
 * @param doubts reasons why prints may be missing
 * @param notices oddities of otherwise valid prints
 * @param isProven true if no print can be missing
 * @param sources the programs on several hosts; empty on one host
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record GivenFeed(
        List<DevicePrint> prints,
        List<OddEvent> oddEvents,
        List<PrintDoubt> doubts,
        List<String> notices,
        boolean isProven,
        List<PrintSource> sources)
        implements PrintFeed {

    /** Creates a feed of lists that must not change afterwards. */
    public GivenFeed {
        prints = Collections.unmodifiableList(prints);
        oddEvents = Collections.unmodifiableList(oddEvents);
        doubts = List.copyOf(doubts);
        notices = List.copyOf(notices);
        sources = List.copyOf(sources);
    }

    /** Creates a feed of one host. */
    public GivenFeed(
            List<DevicePrint> prints,
            List<OddEvent> oddEvents,
            List<PrintDoubt> doubts,
            List<String> notices,
            boolean isProven) {
        this(prints, oddEvents, doubts, notices, isProven, List.of());
    }

    /** Creates a feed without proof of completeness and without notices. */
    public GivenFeed(List<DevicePrint> prints, List<OddEvent> oddEvents, List<PrintDoubt> doubts) {
        this(prints, oddEvents, doubts, List.of(), false);
    }

    @Override
    public void settle() {}
}
