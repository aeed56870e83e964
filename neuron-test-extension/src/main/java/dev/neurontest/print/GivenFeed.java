package dev.neurontest.print;

import java.util.List;

/** What has arrived as a whole. */
record GivenFeed(List<DevicePrint> prints, List<OddEvent> oddEvents, List<PrintDoubt> doubts) implements PrintFeed {

    GivenFeed {
        prints = List.copyOf(prints);
        oddEvents = List.copyOf(oddEvents);
        doubts = List.copyOf(doubts);
    }

    @Override
    public void settle() {}
}
