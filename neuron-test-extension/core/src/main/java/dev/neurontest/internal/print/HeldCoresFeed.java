package dev.neurontest.internal.print;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.print.DevicePrint;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * The prints of the cores that a test holds. Prints of other cores are excluded, and a notice lists them.
 *
 * <p>It is not documented whether a workload numbers its cores from 0 or as its host does. Prints with either number belong to the test,
 * until a print has a number that only the host assigns to a core of the test. A print of an unknown core also belongs to the test.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HeldCoresFeed implements DelegatedFeed {

    private final PrintFeed feed;
    private final List<NeuronCore> cores;
    private List<DevicePrint> readPrints = List.of();
    private boolean hasForeign;
    private boolean numberedByHost;

    /**
     * Creates a feed of the prints of a test.
     *
     * @param feed prints of any core
     * @param cores cores of the test; if empty, all prints are included
     */
    public HeldCoresFeed(PrintFeed feed, List<NeuronCore> cores) {
        this.feed = feed;
        this.cores = List.copyOf(cores);
    }

    @Override
    public PrintFeed source() {
        return feed;
    }

    @Override
    public synchronized List<DevicePrint> prints() {
        take();
        return hasForeign ? PrintPart.of(readPrints, print -> isHeld(print.coreIndex())) : readPrints;
    }

    /** Reads each new print once. A late feed inserts its prints before those of another feed. In that case all prints are read again. */
    private void take() {
        List<DevicePrint> all = feed.prints();
        int readCount = readPrints.size();
        if (readCount > all.size()
                || readCount > 0
                        && !all.get(readCount - 1)
                                .arrived()
                                .equals(readPrints.get(readCount - 1).arrived())) {
            readCount = 0;
            numberedByHost = false;
        }
        readPrints = all;
        if (!numberedByHost
                && all.subList(readCount, all.size()).stream()
                        .mapToInt(DevicePrint::coreIndex)
                        .anyMatch(core -> core >= cores.size() && isOfTest(core))) {
            readCount = 0;
            numberedByHost = true;
        }
        hasForeign = readCount > 0 && hasForeign
                || all.subList(readCount, all.size()).stream().anyMatch(print -> !isHeld(print.coreIndex()));
    }

    private boolean isHeld(int core) {
        return core < 0 || cores.isEmpty() || !numberedByHost && core < cores.size() || isOfTest(core);
    }

    private boolean isOfTest(int core) {
        return cores.stream().anyMatch(each -> each.index() == core);
    }

    @Override
    public boolean isProven() {
        return feed.isProven();
    }

    @Override
    public synchronized List<String> notices() {
        take();
        List<String> notices = new ArrayList<>(feed.notices());
        if (hasForeign) {
            List<DevicePrint> foreignPrints = PrintPart.of(readPrints, print -> !isHeld(print.coreIndex()));
            new TreeMap<>(PrintPart.by(foreignPrints, DevicePrint::coreIndex))
                    .values()
                    .forEach(each -> notices.add(notice(each)));
        }
        return notices;
    }

    private String notice(List<DevicePrint> prints) {
        Set<String> prefixes = new TreeSet<>();
        prints.forEach(print -> prefixes.add(PrintNames.quoted(print.prefix())));
        return "The test ignored %s of core %s, which it does not hold: %s. It holds %s; see NEURON_RT_VISIBLE_CORES of the workload."
                .formatted(
                        CountText.of(prints.size(), "print"),
                        prints.get(0).coreIndex(),
                        PrintText.joined(List.copyOf(prefixes)),
                        ListText.of(cores, NeuronCore::name));
    }
}
