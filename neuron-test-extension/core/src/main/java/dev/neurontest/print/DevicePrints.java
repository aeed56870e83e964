package dev.neurontest.print;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.judgement.Attachment;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.print.ComparedPrint;
import dev.neurontest.internal.print.GivenFeed;
import dev.neurontest.internal.print.PrintAttachments;
import dev.neurontest.internal.print.PrintCheck;
import dev.neurontest.internal.print.PrintFailure;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.internal.print.PrintJson;
import dev.neurontest.internal.print.PrintNames;
import dev.neurontest.internal.print.PrintPart;
import dev.neurontest.internal.print.PrintText;
import dev.neurontest.internal.print.ValueSummary;
import dev.neurontest.internal.tensor.TensorComparison;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.apiguardian.api.API;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/**
 * What kernels printed from the device during a test, in the order of arrival. Order means something only among the prints of one
 * core; prints of the same call site in a loop differ by nothing else.
 *
 * <p>A test asks while it runs: every question first waits, bounded, until what was printed before has arrived. A part of the prints,
 * such as {@link #withPrefix}, is asked in the same way.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DevicePrints implements Measurement {

    private static final Duration LOOK = Duration.ofMillis(2);

    private static final Predicate<DevicePrint> ALL = print -> true;

    /** The length of a tensor from which its summary is kept. */
    private static final long LONG = 4096;

    private static final Predicate<OddEvent> ANY_PRINT = OddEvent::mayBePrint;

    private final PrintFeed feed;
    private final List<NeuronCore> cores;
    private final Predicate<DevicePrint> part;
    private final Predicate<OddEvent> oddPart;
    private final String chosen;
    private final List<ComparedPrint> compared;
    private final Map<Long, ValueSummary> summaries;
    private volatile @Nullable List<DevicePrint> notFinite;
    private volatile @Nullable Map<String, List<DevicePrint>> grouped;

    private DevicePrints(
            PrintFeed feed,
            List<NeuronCore> cores,
            Predicate<DevicePrint> part,
            Predicate<OddEvent> oddPart,
            String chosen,
            List<ComparedPrint> compared,
            Map<Long, ValueSummary> summaries) {
        this.feed = feed;
        this.cores = cores;
        this.part = part;
        this.oddPart = oddPart;
        this.chosen = chosen;
        this.compared = compared;
        this.summaries = summaries;
    }

    /**
     * The prints of one test, while they arrive.
     *
     * @param feed where they arrive
     * @param cores of the test, in the order in which the process that owns them counts; may be empty
     * @return a live view
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static DevicePrints of(PrintFeed feed, List<NeuronCore> cores) {
        return new DevicePrints(
                feed, List.copyOf(cores), ALL, ANY_PRINT, "", new CopyOnWriteArrayList<>(), new ConcurrentHashMap<>());
    }

    /**
     * What has arrived, for good: later prints do not come in any more. Remembers what assertions compared.
     *
     * @return a recording
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public DevicePrints frozen() {
        if (feed instanceof GivenFeed) {
            return this;
        }
        feed.settle();
        return new DevicePrints(
                new GivenFeed(feed.prints(), feed.oddEvents(), feed.doubts(), feed.notices(), feed.isProven()),
                cores,
                part,
                oddPart,
                chosen,
                compared,
                summaries);
    }

    /** Counts each print once, however often it is asked: a stream may bring very many. */
    private static final class Arrivals {

        private final DevicePrints wanted;
        private int seen;
        private int count;
        private @Nullable Instant last;

        Arrivals(DevicePrints wanted) {
            this.wanted = wanted;
        }

        int count() {
            List<DevicePrint> all = wanted.feed.prints();
            if (seen > 0 && !all.get(seen - 1).arrived().equals(last)) {
                // One of several feeds was late: what it brought stands before what another had brought already.
                seen = 0;
                count = 0;
            }
            int now = all.size();
            count += (int) all.subList(seen, now).stream().filter(wanted.part).count();
            seen = now;
            last = now > 0 ? all.get(now - 1).arrived() : null;
            return count;
        }
    }

    /**
     * Those with a prefix.
     *
     * @param prefix exactly as it was given to {@code device_print}
     * @return a part of these prints
     */
    public DevicePrints withPrefix(String prefix) {
        return where(
                "with prefix " + PrintNames.quoted(prefix),
                print -> print.prefix().equals(prefix),
                odd -> odd.mayBePrintOf(prefix));
    }

    /**
     * Those of a core.
     *
     * @param core of the test
     * @return a part of these prints
     * @throws IllegalArgumentException when it is no core of the test
     */
    public DevicePrints onCore(NeuronCore core) {
        int index = cores.indexOf(core);
        if (index < 0) {
            throw new IllegalArgumentException("%s is no core of this test, which has %s"
                    .formatted(core.name(), cores.stream().map(NeuronCore::name).toList()));
        }
        return onCore(index);
    }

    /**
     * Those of a core.
     *
     * @param index as the process that owns the core counts, from 0
     * @return a part of these prints
     */
    public DevicePrints onCore(int index) {
        return where(
                "on core " + index,
                print -> print.coreIndex() == index,
                odd -> odd.mayBePrint() && (odd.coreIndex() == index || odd.coreIndex() < 0));
    }

    private DevicePrints where(String words, Predicate<DevicePrint> condition, Predicate<OddEvent> oddCondition) {
        return new DevicePrints(
                feed,
                cores,
                part == ALL ? condition : part.and(condition),
                // A prefix that is asked for says more than what any print looks like.
                oddPart == ANY_PRINT ? oddCondition : oddPart.and(oddCondition),
                chosen + " " + words,
                compared,
                summaries);
    }

    /**
     * Which part these are, for a message.
     *
     * @return such as {@code  with prefix "acc"}, a blank before it; empty for all prints
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public String chosen() {
        return chosen;
    }

    /**
     * All of them.
     *
     * @return in the order of arrival
     */
    public List<DevicePrint> all() {
        feed.settle();
        return arrived();
    }

    private List<DevicePrint> arrived() {
        return part == ALL ? feed.prints() : PrintPart.of(feed.prints(), part);
    }

    /**
     * How many there are.
     *
     * @return 0 or more
     */
    public int size() {
        return all().size();
    }

    /**
     * Whether there are none.
     *
     * @return true also when prints could not be collected, which {@link #doubts()} tells
     */
    public boolean isEmpty() {
        return all().isEmpty();
    }

    /**
     * One of them.
     *
     * @param index in the order of arrival, from 0, among these prints
     * @return the print
     * @throws IndexOutOfBoundsException when there are fewer
     */
    public DevicePrint get(int index) {
        List<DevicePrint> all = all();
        if (index < 0 || index >= all.size()) {
            throw new IndexOutOfBoundsException("there is no print %s, since %s arrived".formatted(index, all.size()));
        }
        return all.get(index);
    }

    /**
     * What the prints are called.
     *
     * @return each prefix with the number of its prints, in the order in which they first arrived
     */
    public Map<String, Integer> prefixes() {
        Map<String, Integer> prefixes = new LinkedHashMap<>();
        byPrefix().forEach((prefix, group) -> prefixes.put(prefix, group.size()));
        return prefixes;
    }

    /** Returns the prints of each prefix; once for all where no more come. */
    @API(status = API.Status.INTERNAL)
    public Map<String, List<DevicePrint>> byPrefix() {
        Map<String, List<DevicePrint>> groups = grouped;
        if (groups == null) {
            groups = PrintPart.by(all(), DevicePrint::prefix);
            grouped = feed instanceof GivenFeed ? groups : null;
        }
        return groups;
    }

    /** Returns the prints with a value that is not finite; found once where no more come. */
    @API(status = API.Status.INTERNAL)
    public List<DevicePrint> notFinite() {
        List<DevicePrint> found = notFinite;
        if (found == null) {
            found = PrintPart.of(all(), print -> !summary(print).isFinite());
            notFinite = feed instanceof GivenFeed ? found : null;
        }
        return found;
    }

    /**
     * What arrived in the whole test, in a few lines for a message: who missed a print may have asked for another one.
     *
     * @return such as {@code Arrived: 64 "acc", 1 "scale"}, ended by a line break
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
     * Which prints of the whole test have values that are not finite, for a message: a test that looks at one print seldom looks at the
     * one where it began.
     *
     * @param unseen which prints a message should not do without
     * @return such as {@code "acc" has NaN in 1 of 64 prints, first in print 40 at [3, 17] (12 of 65536 values)}, for each prefix that has one
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<String> notFinite(Predicate<DevicePrint> unseen) {
        return new PrintCheck(
                        part == ALL ? this : new DevicePrints(feed, cores, ALL, ANY_PRINT, "", compared, summaries))
                .notFinite(unseen);
    }

    private static String odd(List<OddEvent> odd) {
        return odd.isEmpty()
                ? ""
                : "; and %s, the first: %s"
                        .formatted(
                                odd.size() == 1
                                        ? "1 event that is no print"
                                        : odd.size() + " events that are no prints",
                                odd.get(0).reason());
    }

    /**
     * Events that are no prints.
     *
     * @return in the order of arrival, of the whole test
     */
    public List<OddEvent> oddEvents() {
        feed.settle();
        return feed.oddEvents();
    }

    /**
     * Why there may have been more prints than are here.
     *
     * @return none when everything that was printed is here
     */
    public List<PrintDoubt> doubts() {
        feed.settle();
        return feed.doubts();
    }

    /**
     * Why nothing can be said about all of these prints: there may be more, or one that cannot be read may be among them.
     *
     * @return sentences; none when everything that was printed is here and can be read
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<String> uncertainties() {
        List<String> found = new ArrayList<>(
                doubts().stream().map(PrintDoubt::reason).distinct().toList());
        List<OddEvent> unread = feed.oddEvents().stream().filter(oddPart).toList();
        if (!unread.isEmpty()) {
            found.add("%s such a print and cannot be read: %s"
                    .formatted(
                            unread.size() == 1 ? "1 event may be" : "Each of %s events may be".formatted(unread.size()),
                            unread.get(0).reason()));
        }
        return found;
    }

    /**
     * Whether all that was printed is here.
     *
     * @return what is known of it
     */
    public Completeness completeness() {
        feed.settle();
        return !feed.doubts().isEmpty()
                ? Completeness.DOUBTED
                : feed.isProven() ? Completeness.PROVEN : Completeness.UNPROVEN;
    }

    /** Whether all that was printed is here. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Completeness {
        /**
         * The streams were read in this process, and were empty so often that none can have been full. That rests on a ring whose size
         * is a number of events, as the notes of the runtime say.
         */
        PROVEN("complete, proven"),
        /** Nothing speaks against it, but what came from other processes is known by what they told. */
        UNPROVEN("complete as far as is known"),
        /** Prints may be missing; {@link DevicePrints#doubts()} says why. A demand that they could change is undecided. */
        DOUBTED("may be incomplete");

        private final String words;

        Completeness(String words) {
            this.words = words;
        }

        /**
         * As messages say it.
         *
         * @return in lower case
         */
        @Override
        public String toString() {
            return words;
        }
    }

    /** What is odd, though no print is missing for it. */
    @API(status = API.Status.INTERNAL)
    public List<String> notices() {
        return feed.notices();
    }

    /**
     * Waits for the first print with a prefix.
     *
     * @param prefix exactly as it was given to {@code device_print}
     * @param atMost how long
     * @return the first, which may have arrived long ago
     * @throws AssertionFailedError when none came in time; the message says what did
     */
    public DevicePrint await(String prefix, Duration atMost) {
        return await(prefix, 1, atMost).get(0);
    }

    /**
     * Waits until so many prints with a prefix have arrived.
     *
     * @param prefix exactly as it was given to {@code device_print}
     * @param count how many at least, counted from the start of the test
     * @param atMost how long
     * @return all with this prefix so far, in the order of arrival
     * @throws AssertionFailedError when fewer came in time; the message says what did
     */
    public List<DevicePrint> await(String prefix, int count, Duration atMost) {
        DevicePrints wanted = withPrefix(prefix);
        Arrivals arrivals = new Arrivals(wanted);
        try {
            Awaitility.await()
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(LOOK)
                    .atMost(atMost.compareTo(LOOK) > 0 ? atMost : LOOK.plus(LOOK))
                    .until(() -> arrivals.count() >= count);
        } catch (ConditionTimeoutException late) {
            PrintExpectation demand = PrintExpectation.of(prefix)
                    .atLeast(count)
                    .inWords("await(%s, %s, %s)".formatted(PrintNames.quoted(prefix), count, atMost));
            PrintFailure failure = PrintFailure.judged(
                    PrintExpectations.builder().expect(demand).build(), frozen());
            if (failure.isFailure()) {
                throw failure.toError();
            }
        }
        return wanted.arrived();
    }

    /**
     * Keeps a comparison that failed, for the picture.
     *
     * @param print which print
     * @param comparison what was found
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public void remember(DevicePrint print, TensorComparison comparison) {
        compared.add(new ComparedPrint(print, comparison));
    }

    /**
     * What assertions compared and found wanting.
     *
     * @return in the order of the assertions
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<ComparedPrint> compared() {
        return List.copyOf(compared);
    }

    /**
     * What messages call the core of a print.
     *
     * @param print one of these
     * @return the name of the core as far as it is known
     */
    @API(status = API.Status.INTERNAL)
    public String core(DevicePrint print) {
        int index = print.coreIndex();
        return index < 0 ? "?" : index < cores.size() ? cores.get(index).name() : Integer.toString(index);
    }

    /** The name of a logical core may begin with this word itself. */
    @API(status = API.Status.INTERNAL)
    public String place(DevicePrint print) {
        int index = print.coreIndex();
        return index >= 0 && index < cores.size() ? cores.get(index).name() : "core " + core(print);
    }

    /** Computed once where the tensor is long. */
    @API(status = API.Status.INTERNAL)
    public ValueSummary summary(DevicePrint print) {
        return print.data().size() < LONG
                ? ValueSummary.of(print.tensor())
                : summaries.computeIfAbsent(print.order(), order -> ValueSummary.of(print.tensor()));
    }

    @Override
    public String kind() {
        return "prints";
    }

    @Override
    public String toText() {
        return PrintText.of(this);
    }

    /**
     * The index of the prints for a program: {@code version} 1, {@code kind}, {@code completeness} ({@code proven},
     * {@code unproven} or {@code doubted}), {@code doubts}, {@code prefixes} with how many prints each has,
     * {@code prints} with everything that is known of each but its values, {@code file} with what follows the name of this recording in
     * the name of its {@code .npy}, {@code mismatches} that assertions found, {@code odd} events, and {@code notListed} and
     * {@code notAttached} with how many were left out.
     *
     * @return one JSON object
     */
    @Override
    public String toJson() {
        return PrintJson.of(this);
    }

    /** The picture, and a {@code .npy} for each print until there are too many. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    @Override
    public List<Attachment> attachments() {
        return PrintAttachments.of(this).all();
    }
}
