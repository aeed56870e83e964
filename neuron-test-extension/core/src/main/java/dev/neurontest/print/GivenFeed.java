package dev.neurontest.print;

import java.util.List;

/** What has arrived as a whole. */
record GivenFeed(
        List<DevicePrint> prints,
        List<OddEvent> oddEvents,
        List<PrintDoubt> doubts,
        List<String> notices,
        boolean isProven)
        implements PrintFeed {

    GivenFeed {
        prints = List.copyOf(prints);
        oddEvents = List.copyOf(oddEvents);
        doubts = List.copyOf(doubts);
        notices = List.copyOf(notices);
    }

    GivenFeed(List<DevicePrint> prints, List<OddEvent> oddEvents, List<PrintDoubt> doubts) {
        this(prints, oddEvents, doubts, List.of(), false);
    }

    @Override
    public void settle() {}
}
