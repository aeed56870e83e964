package dev.neurontest.internal.participant.replay;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.process.Redaction;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The marks of a recording, which describe the recorded test. Texts that look like secrets are masked in the marks. The same is masked in
 * the texts that are compared with them.
 *
 * @param marks the marks in order
 */
record RecordedMarks(List<String> marks) {

    static final String BODY_STARTED = "body started";
    static final String BODY_ENDED = "body ended";
    static final String BODY_FAILED = "body failed";

    private static final String TEST = "test ";
    private static final String ID = "test-id ";
    private static final String CORES = "cores ";
    private static final String UNDECIDED = "undecided ";
    private static final String INCOMPLETE = "incomplete ";
    private static final String SELDOM = "seldom ";
    private static final String VIOLATED = "violated ";

    static List<String> test(TestId test) {
        TestId masked = masked(test);
        return List.of(TEST + masked.name(), ID + masked.id());
    }

    static String cores(List<NeuronCore> cores) {
        return CORES + cores.stream().map(core -> String.valueOf(core.index())).collect(Collectors.joining(" "));
    }

    static String undecided(String what) {
        return UNDECIDED + Redaction.mask(what);
    }

    static String violated(Violation violation) {
        return VIOLATED + words(violation);
    }

    /** Returns the text of a violation without its numbers, which may differ between the recording and its replay. */
    private static String words(Violation violation) {
        return Redaction.mask(violation.rule() + " of " + violation.subject());
    }

    /** Returns the recorded violations that do not occur now. */
    List<String> notViolatedAgain(List<Violation> now) {
        Set<String> again = now.stream().map(RecordedMarks::words).collect(Collectors.toSet());
        return after(VIOLATED).filter(then -> !again.contains(then)).toList();
    }

    /** Returns the recorded test, without an id in recordings of older versions; empty if the recording is not of a test. */
    Optional<TestId> test() {
        Optional<String> id = after(ID).findFirst();
        return after(TEST).findFirst().or(() -> id).map(name -> new TestId(id.orElse(""), name));
    }

    /** Returns whether the recording is of this test. */
    boolean areOf(TestId test) {
        return test().filter(masked(test)::isSameAs).isPresent();
    }

    /** Returns whether the recording is of this test, or of a test in this container. */
    boolean areOfOrIn(TestId holder) {
        return test().filter(masked(holder)::isOrHolds).isPresent();
    }

    private static TestId masked(TestId test) {
        return new TestId(Redaction.mask(test.id()), Redaction.mask(test.name()));
    }

    /** Returns which recorded changes are missing or late. */
    List<String> incomplete() {
        return after(INCOMPLETE).toList();
    }

    /** Returns the files that were read only at the start and at the end. */
    List<String> seldom() {
        return after(SELDOM).toList();
    }

    /** Returns the indices of the recorded test's cores. Values that are unreadable, because the recording was edited, are skipped. */
    Set<Integer> cores() {
        return after(CORES)
                .flatMap(indices -> Stream.of(indices.split(" ")))
                .filter(index -> index.matches("[0-9]{1,6}"))
                .map(Integer::valueOf)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the undecided results of the recorded test. */
    List<String> undecided() {
        return after(UNDECIDED).toList();
    }

    boolean bodyFailed() {
        return marks.contains(BODY_FAILED);
    }

    private Stream<String> after(String key) {
        return marks.stream()
                .filter(mark -> mark.startsWith(key))
                .map(mark -> Redaction.mask(mark.substring(key.length())));
    }
}
