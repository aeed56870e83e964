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
 * What the marks of a recording say of the test that it was made around. What looks secret is masked in them, so the same is masked in
 * what they are held against.
 *
 * @param marks in their order
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

    /** The same on the recording as then, whatever the numbers are. */
    private static String words(Violation violation) {
        return Redaction.mask(violation.rule() + " of " + violation.subject());
    }

    /** What was violated then and is not now. */
    List<String> notViolatedAgain(List<Violation> now) {
        Set<String> again = now.stream().map(RecordedMarks::words).collect(Collectors.toSet());
        return after(VIOLATED).filter(then -> !again.contains(then)).toList();
    }

    /** Which it is, without an id in recordings of older versions; empty when something else was recorded. */
    Optional<TestId> test() {
        Optional<String> id = after(ID).findFirst();
        return after(TEST).findFirst().or(() -> id).map(name -> new TestId(id.orElse(""), name));
    }

    /** Whether it is this test. */
    boolean areOf(TestId test) {
        return test().filter(masked(test)::isSameAs).isPresent();
    }

    /** Whether it is this test, or one in this container. */
    boolean areOfOrIn(TestId holder) {
        return test().filter(masked(holder)::isOrHolds).isPresent();
    }

    private static TestId masked(TestId test) {
        return new TestId(Redaction.mask(test.id()), Redaction.mask(test.name()));
    }

    /** What is missing or late of what happened. */
    List<String> incomplete() {
        return after(INCOMPLETE).toList();
    }

    /** What was looked at the beginning and the end alone. */
    List<String> seldom() {
        return after(SELDOM).toList();
    }

    /** The indices of the cores that it had; what cannot be read, because it was edited, is left out. */
    Set<Integer> cores() {
        return after(CORES)
                .flatMap(indices -> Stream.of(indices.split(" ")))
                .filter(index -> index.matches("[0-9]{1,6}"))
                .map(Integer::valueOf)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** What was undecided of it. */
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
