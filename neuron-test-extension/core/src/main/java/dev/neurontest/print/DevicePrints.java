package dev.neurontest.print;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.print.ComparedPrint;
import dev.neurontest.internal.print.GivenFeed;
import dev.neurontest.internal.print.PrintCheck;
import dev.neurontest.internal.print.PrintFailure;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.internal.print.PrintJson;
import dev.neurontest.internal.print.PrintNames;
import dev.neurontest.internal.print.PrintPart;
import dev.neurontest.internal.print.PrintText;
import dev.neurontest.internal.tensor.TensorComparison;
import dev.neurontest.internal.tensor.ValueSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/**
 * The prints of kernels from the device during a test, in the order of arrival. The order is meaningful only among the prints of one core.
 * Prints of the same call site in a loop differ only in their order.
 *
 * <p>The methods can be called while the test runs. Each method that reads prints first waits, for a limited time, until earlier prints
 * have arrived. A subset, such as {@link #withPrefix}, behaves in the same way.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DevicePrints {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(2);

    private static final Predicate<DevicePrint> ALL = print -> true;

    /** Minimum size of a tensor, in bytes, from which its summary is cached. */
    private static final long LONG = 4096;

    private static final Predicate<OddEvent> ANY_PRINT = OddEvent::mayBePrint;

    private final PrintFeed feed;
    private final List<NeuronCore> cores;
    private final Predicate<DevicePrint> part;
    private final Predicate<OddEvent> oddPart;
    private final String chosen;
    private final List<ComparedPrint> compared;
    private final Map<Long, ValueSummary> summaries;
    private final List<String> remarks;
    private volatile @Nullable List<DevicePrint> notFinite;
    private volatile @Nullable Map<String, List<DevicePrint>> grouped;

    private DevicePrints(
            PrintFeed feed,
            List<NeuronCore> cores,
            Predicate<DevicePrint> part,
            Predicate<OddEvent> oddPart,
            String chosen,
            List<ComparedPrint> compared,
            Map<Long, ValueSummary> summaries,
            List<String> remarks) {
        this.feed = feed;
        this.cores = cores;
        this.part = part;
        this.oddPart = oddPart;
        this.chosen = chosen;
        this.compared = compared;
        this.summaries = summaries;
        this.remarks = remarks;
    }

    /**
     * Creates a live view of the prints of one test.
     *
     * @param feed source of the prints
     * @param cores the cores of the test, in the numbering of the process that owns them; may be empty
     * @return a live view
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static DevicePrints of(PrintFeed feed, List<NeuronCore> cores) {
        return new DevicePrints(
                feed,
                List.copyOf(cores),
                ALL,
                ANY_PRINT,
                "",
                new CopyOnWriteArrayList<>(),
                new ConcurrentHashMap<>(),
                new CopyOnWriteArrayList<>());
    }

    /**
     * Returns a fixed copy of the prints that have arrived. Later prints are not added. Failed comparisons of assertions are still
     * recorded.
     *
     * @return a measurement
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public DevicePrints frozen() {
        if (feed instanceof GivenFeed) {
            return this;
        }
        feed.settle();
        return new DevicePrints(
                new GivenFeed(
                        feed.prints(),
                        feed.oddEvents(),
                        feed.doubts(),
                        feed.notices(),
                        feed.isProven(),
                        feed.sources()),
                cores,
                part,
                oddPart,
                chosen,
                compared,
                summaries,
                remarks);
    }

    /** Counter of arrived prints. It inspects each print only once because a stream can deliver very many. */
    private static final class Arrivals {

        private final DevicePrints prints;
        private int readCount;
        private int count;
        private @Nullable Instant last;

        Arrivals(DevicePrints prints) {
            this.prints = prints;
        }

        int count() {
            List<DevicePrint> all = prints.feed.prints();
            if (readCount > all.size()
                    || readCount > 0 && !all.get(readCount - 1).arrived().equals(last)) {
                // One of several feeds was late. Its prints are ordered before prints that another feed had delivered
                // earlier.
                readCount = 0;
                count = 0;
            }
            int size = all.size();
            count += (int)
                    all.subList(readCount, size).stream().filter(prints.part).count();
            readCount = size;
            last = size > 0 ? all.get(size - 1).arrived() : null;
            return count;
        }
    }

    /**
     * Returns the prints with the given prefix.
     *
     * @param prefix exactly the prefix given to {@code device_print}
     * @return a subset of these prints
     */
    public DevicePrints withPrefix(String prefix) {
        return where(
                "with prefix " + PrintNames.quoted(prefix),
                print -> print.prefix().equals(prefix),
                odd -> odd.mayBePrintOf(prefix));
    }

    /**
     * Returns the prints of the given core.
     *
     * @param core a core of the test
     * @return a subset of these prints
     * @throws IllegalArgumentException when the core does not belong to the test
     */
    public DevicePrints onCore(NeuronCore core) {
        int index = cores.indexOf(core);
        if (index < 0) {
            throw new IllegalArgumentException("%s is not a core of this test, which has %s"
                    .formatted(core.name(), cores.stream().map(NeuronCore::name).toList()));
        }
        return onCore(index);
    }

    /**
     * Returns the prints of the core with the given index. In a test over several hosts these are the prints of such a core of each
     * program; {@link #onRank} selects one program.
     *
     * @param index number of the core in the process that owns it, from 0
     * @return a subset of these prints
     */
    public DevicePrints onCore(int index) {
        return where(
                "on core " + index,
                print -> print.coreIndex() == index,
                odd -> odd.mayBePrint() && (odd.coreIndex() == index || odd.coreIndex() < 0));
    }

    /**
     * Returns the prints of the program with the given rank, in a test over several hosts.
     *
     * @param rank number of an ended program among all programs of a workload, from 0
     * @return a subset of these prints
     * @throws IllegalArgumentException when no program of this rank has ended
     */
    public DevicePrints onRank(int rank) {
        feed.settle();
        if (feed.sources().stream().noneMatch(source -> source.rank() == rank)) {
            throw new IllegalArgumentException("No program of rank %s has ended on a host of this test. Ended: %s."
                    .formatted(rank, feed.sources().isEmpty() ? "none" : PrintText.joined(words(feed.sources()))));
        }
        // An event that is not a print may be of any program.
        return new DevicePrints(
                feed,
                cores,
                part.and(print ->
                        print.source().filter(source -> source.rank() == rank).isPresent()),
                oddPart,
                chosen + " of rank " + rank,
                compared,
                summaries,
                remarks);
    }

    private static List<String> words(List<PrintSource> sources) {
        return sources.stream().map(PrintSource::toString).toList();
    }

    /**
     * Returns the programs on several hosts that have ended, with those that printed nothing.
     *
     * @return empty on one host
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public List<PrintSource> sources() {
        return feed.sources();
    }

    private DevicePrints where(String words, Predicate<DevicePrint> condition, Predicate<OddEvent> oddCondition) {
        return new DevicePrints(
                feed,
                cores,
                part == ALL ? condition : part.and(condition),
                // A condition for one prefix is more precise than the general check for a print, and replaces it.
                oddPart == ANY_PRINT ? oddCondition : oddPart.and(oddCondition),
                chosen + " " + words,
                compared,
                summaries,
                remarks);
    }

    /**
     * Returns a description of this subset for messages.
     *
     * @return such as {@code  with prefix "acc"}, with a leading blank; empty for all prints
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public String chosen() {
        return chosen;
    }

    /**
     * Returns all prints of this subset.
     *
     * @return the prints in the order of arrival
     */
    public List<DevicePrint> all() {
        feed.settle();
        return arrived();
    }

    private List<DevicePrint> arrived() {
        return part == ALL ? feed.prints() : PrintPart.of(feed.prints(), part);
    }

    /**
     * Returns the number of prints.
     *
     * @return 0 or more
     */
    public int size() {
        return all().size();
    }

    /**
     * Returns whether there are no prints.
     *
     * @return true also when prints could not be collected; {@link #doubts()} contains the reason
     */
    public boolean isEmpty() {
        return all().isEmpty();
    }

    /**
     * Returns the print at the given position.
     *
     * @param index position in the order of arrival, from 0, within this subset
     * @return the print
     * @throws IndexOutOfBoundsException when there are fewer prints
     */
    public DevicePrint get(int index) {
        List<DevicePrint> all = all();
        if (index < 0 || index >= all.size()) {
            throw new IndexOutOfBoundsException("there is no print %s, since %s arrived".formatted(index, all.size()));
        }
        return all.get(index);
    }

    /**
     * Returns the number of prints of each prefix.
     *
     * @return each prefix with the number of its prints, in the order of their first arrival
     */
    public Map<String, Integer> prefixes() {
        Map<String, Integer> prefixes = new LinkedHashMap<>();
        byPrefix().forEach((prefix, group) -> prefixes.put(prefix, group.size()));
        return prefixes;
    }

    /**
     * Returns the prints of each prefix. The result is cached if no more prints can arrive.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public Map<String, List<DevicePrint>> byPrefix() {
        Map<String, List<DevicePrint>> groups = grouped;
        if (groups == null) {
            groups = PrintPart.by(all(), DevicePrint::prefix);
            grouped = feed instanceof GivenFeed ? groups : null;
        }
        return groups;
    }

    /**
     * Returns the prints with a value that is not finite. The result is cached if no more prints can arrive.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public List<DevicePrint> notFinite() {
        List<DevicePrint> result = notFinite;
        if (result == null) {
            result = PrintPart.of(all(), print -> !summary(print).isFinite());
            notFinite = feed instanceof GivenFeed ? result : null;
        }
        return result;
    }

    /**
     * Returns a short overview of all prints of the test for messages. It helps to detect a wrong prefix in an expectation.
     *
     * @return such as {@code Arrived: 64 "acc", 1 "scale"}, ended by a line break
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public String overview() {
        feed.settle();
        Map<String, Integer> prefixes = new LinkedHashMap<>();
        feed.prints().forEach(print -> prefixes.merge(print.prefix(), 1, Integer::sum));
        return "Arrived: %s%s\n"
                .formatted(
                        prefixes.isEmpty()
                                ? "no print"
                                : PrintText.joined(prefixes.entrySet().stream()
                                        .map(each -> each.getValue() + " " + PrintNames.quoted(each.getKey()))
                                        .toList()),
                        odd(feed.oddEvents()));
    }

    /**
     * Describes the prints of the whole test with values that are not finite, for a message. The first such print is often different from
     * the print that a test checks.
     *
     * @param unseen filter for prints that the test has not inspected; a prefix is included if it has such a print
     * @return such as {@code "acc" has NaN in 1 of 64 prints, first in print 40 at [3, 17] (12 of 65,536 values)}, for each included prefix
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<String> notFinite(Predicate<DevicePrint> unseen) {
        return new PrintCheck(
                        part == ALL
                                ? this
                                : new DevicePrints(feed, cores, ALL, ANY_PRINT, "", compared, summaries, remarks))
                .notFinite(unseen);
    }

    private static String odd(List<OddEvent> odd) {
        return odd.isEmpty()
                ? ""
                : "; and %s, the first: %s"
                        .formatted(
                                odd.size() == 1
                                        ? "1 event that is not a print"
                                        : odd.size() + " events that are not prints",
                                odd.get(0).reason());
    }

    /**
     * Returns the events that are not prints.
     *
     * @return the events of the whole test, in the order of arrival
     */
    public List<OddEvent> oddEvents() {
        feed.settle();
        return feed.oddEvents();
    }

    /**
     * Returns the reasons why prints may be missing.
     *
     * @return empty when all prints have arrived
     */
    public List<PrintDoubt> doubts() {
        feed.settle();
        return feed.doubts();
    }

    /**
     * Returns the reasons why a statement about all of these prints is impossible. Prints may be missing, or an unreadable print may
     * belong to this subset.
     *
     * @return sentences; empty when all prints have arrived and are readable
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<String> uncertainties() {
        List<String> reasons = new ArrayList<>(
                doubts().stream().map(PrintDoubt::reason).distinct().toList());
        List<OddEvent> unread = feed.oddEvents().stream().filter(oddPart).toList();
        if (!unread.isEmpty()) {
            reasons.add("%s such a print and cannot be read: %s"
                    .formatted(
                            unread.size() == 1 ? "1 event may be" : "Each of %s events may be".formatted(unread.size()),
                            unread.get(0).reason()));
        }
        return reasons;
    }

    /**
     * Returns whether all prints have arrived.
     *
     * @return the completeness as far as it is known
     */
    public Completeness completeness() {
        feed.settle();
        return !feed.doubts().isEmpty()
                ? Completeness.DOUBTED
                : feed.isProven() ? Completeness.PROVEN : Completeness.UNPROVEN;
    }

    /** The completeness of the prints of a test. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Completeness {
        /**
         * Proven completeness. The streams were read in this process, and were empty often enough that none can have been full. This
         * assumes that the size of a ring is a number of events, as the notes of the runtime state.
         */
        PROVEN("complete, proven"),
        /**
         * Probable completeness. There is no sign of a missing print, but the prints of other processes are known only from their reports.
         */
        UNPROVEN("complete as far as is known"),
        /**
         * Doubtful completeness. Prints may be missing; {@link DevicePrints#doubts()} contains the reasons. An expectation that depends on
         * them is undecided.
         */
        DOUBTED("may be incomplete");

        private final String words;

        Completeness(String words) {
            this.words = words;
        }

        /**
         * Returns the text for messages.
         *
         * @return text in lower case
         */
        @Override
        public String toString() {
            return words;
        }
    }

    /**
     * Returns the oddities that do not cause missing prints, and the remarks of assertions.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public List<String> notices() {
        return Stream.concat(feed.notices().stream(), remarks.stream())
                .distinct()
                .toList();
    }

    /**
     * Adds a remark of an assertion for the reader of the report.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public void remark(String sentence) {
        remarks.add(sentence);
    }

    /**
     * Waits for the first print with a prefix.
     *
     * @param prefix exactly the prefix given to {@code device_print}
     * @param atMost maximum time to wait
     * @return the first print with this prefix, which may have arrived long ago
     * @throws AssertionFailedError when none arrived in time; the message lists the prints that arrived
     */
    public DevicePrint await(String prefix, Duration atMost) {
        return await(prefix, 1, atMost).get(0);
    }

    /**
     * Waits until a number of prints with a prefix have arrived.
     *
     * @param prefix exactly the prefix given to {@code device_print}
     * @param count minimum number of prints, counted from the start of the test
     * @param atMost maximum time to wait
     * @return all prints with this prefix so far, in the order of arrival
     * @throws AssertionFailedError when fewer arrived in time; the message lists the prints that arrived
     */
    public List<DevicePrint> await(String prefix, int count, Duration atMost) {
        DevicePrints matching = withPrefix(prefix);
        Arrivals arrivals = new Arrivals(matching);
        try {
            Awaitility.await()
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(POLL_INTERVAL)
                    .atMost(atMost.compareTo(POLL_INTERVAL) > 0 ? atMost : POLL_INTERVAL.plus(POLL_INTERVAL))
                    .until(() -> arrivals.count() >= count);
        } catch (ConditionTimeoutException late) {
            PrintExpectation expectation = PrintExpectation.of(prefix)
                    .atLeast(count)
                    .inWords("await(%s, %s, %s)".formatted(PrintNames.quoted(prefix), count, atMost));
            PrintFailure failure = PrintFailure.judged(
                    PrintExpectations.builder().expect(expectation).build(), frozen());
            if (failure.isFailure()) {
                throw failure.toError();
            }
        }
        return matching.arrived();
    }

    /**
     * Stores a failed comparison for the picture.
     *
     * @param print the compared print
     * @param comparison result of the comparison
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public void remember(DevicePrint print, TensorComparison comparison) {
        compared.add(new ComparedPrint(print, comparison));
    }

    /**
     * Returns the failed comparisons of assertions.
     *
     * @return the comparisons in the order of the assertions
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<ComparedPrint> compared() {
        return List.copyOf(compared);
    }

    /**
     * Returns the name of the core of a print for messages.
     *
     * @param print one of these prints
     * @return the name of the core, or else its index, or else {@code ?}
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public String core(DevicePrint print) {
        int index = print.coreIndex();
        if (print.source().isPresent()) {
            return print.source().get() + (index < 0 ? "" : ", core " + index);
        }
        return index < 0 ? "?" : index < cores.size() ? cores.get(index).name() : Integer.toString(index);
    }

    /**
     * Returns the core of a print for messages. The word "core" is added only where no name is known, because the name of a logical core
     * may begin with this word.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public String place(DevicePrint print) {
        int index = print.coreIndex();
        if (print.source().isPresent()) {
            return index < 0 ? "an unknown core" : "core " + index;
        }
        return index >= 0 && index < cores.size() ? cores.get(index).name() : "core " + core(print);
    }

    /**
     * Returns the summary of the values of a print. It is computed only once for a long tensor.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public ValueSummary summary(DevicePrint print) {
        return print.data().size() < LONG
                ? ValueSummary.of(print.tensor())
                : summaries.computeIfAbsent(print.order(), order -> ValueSummary.of(print.tensor()));
    }

    /**
     * Returns the prints as readable text, as attached to the test.
     *
     * @return lines of text, including the final line ending
     */
    public String toText() {
        return PrintText.of(this);
    }

    /**
     * Returns a machine-readable index of the prints as one JSON object. Its members are:
     *
     * <ul>
     * <li>{@code version}: 1
     * <li>{@code kind}
     * <li>{@code completeness}: {@code proven}, {@code unproven} or {@code doubted}
     * <li>{@code doubts}
     * <li>{@code prefixes}: number of prints of each prefix
     * <li>{@code prints}: all known fields of each print except its values. {@code file} is the suffix of its {@code .npy} after the name
     *   of this measurement
     * <li>{@code mismatches}: failed comparisons of assertions
     * <li>{@code odd}: events that are not prints
     * <li>{@code notListed} and {@code notAttached}: number of omitted prints
     * </ul>
     *
     * @return one JSON object
     */
    public String toJson() {
        return PrintJson.of(this);
    }
}
