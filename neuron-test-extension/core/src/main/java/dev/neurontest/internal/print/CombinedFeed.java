package dev.neurontest.internal.print;

import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Prints of several feeds with new order numbers. If only one feed has prints, they are not copied. */
record CombinedFeed(List<PrintFeed> feeds) implements DelegatedFeed {

    CombinedFeed {
        feeds = List.copyOf(feeds);
    }

    @Override
    public void settle() {
        feeds.forEach(PrintFeed::settle);
    }

    @Override
    public List<PrintDoubt> doubts() {
        return feeds.stream().flatMap(feed -> feed.doubts().stream()).distinct().toList();
    }

    @Override
    public List<String> notices() {
        return feeds.stream()
                .flatMap(feed -> feed.notices().stream())
                .distinct()
                .toList();
    }

    @Override
    public boolean isProven() {
        return feeds.stream().allMatch(PrintFeed::isProven);
    }

    @Override
    public PrintFeed source() {
        List<PrintFeed> full = feeds.stream()
                .filter(feed -> !feed.prints().isEmpty() || !feed.oddEvents().isEmpty())
                .toList();
        if (full.size() == 1) {
            return full.get(0);
        }
        List<Object> all = new ArrayList<>();
        full.forEach(feed -> {
            all.addAll(feed.prints());
            all.addAll(feed.oddEvents());
        });
        return numbered(all);
    }

    private static PrintFeed numbered(List<Object> all) {
        all.sort(Comparator.comparing((Object event) ->
                        event instanceof DevicePrint print ? print.arrived() : ((OddEvent) event).arrived())
                .thenComparing(
                        event -> event instanceof DevicePrint print ? print.order() : ((OddEvent) event).order()));
        List<DevicePrint> prints = new ArrayList<>();
        List<OddEvent> odd = new ArrayList<>();
        for (int order = 0; order < all.size(); order++) {
            if (all.get(order) instanceof DevicePrint print) {
                prints.add(print.withOrder(order));
            } else {
                odd.add(((OddEvent) all.get(order)).withOrder(order));
            }
        }
        return new GivenFeed(prints, odd, List.of());
    }
}
