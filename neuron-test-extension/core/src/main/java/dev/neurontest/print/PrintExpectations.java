package dev.neurontest.print;

import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.print.PrintCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The expectations of a test about its prints. Immutable; one value can be used by any number of tests.
 *
 * <p>If prints may be missing or unreadable, an expectation is decided only if they cannot change the result. For example, a maximum that
 * is already exceeded stays exceeded, and a minimum that is reached stays reached. NaN and infinities are reported even when no
 * expectation requires it.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PrintExpectations {

    /** The default without expectations. Remarkable observations are still reported. */
    public static final PrintExpectations DEFAULT = builder().build();

    private final List<PrintExpectation> expectations;

    private PrintExpectations(Builder builder) {
        this.expectations = List.copyOf(builder.expectations);
    }

    /**
     * Creates a builder without expectations.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the expectations.
     *
     * @return the expectations in the order in which they were added
     */
    public List<PrintExpectation> expectations() {
        return expectations;
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Judgement judge(DevicePrints prints) {
        PrintCheck check = new PrintCheck(prints);
        expectations.forEach(check::hold);
        return check.judgement(expectations);
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Expectation<DevicePrints> ofAbortedBody() {
        PrintExpectations forbidding = of(expectations.stream().filter(expectation -> !expectation.requiresPrints()));
        PrintExpectations all = of(expectations.stream().flatMap(expectation -> expectation.ofAbortedBody().stream()));
        return prints -> {
            Judgement judgement = all.judge(prints);
            return new Judgement(
                    judgement.violations(), forbidding.judge(prints).undecided(), judgement.notices());
        };
    }

    private static PrintExpectations of(Stream<PrintExpectation> expectations) {
        Builder builder = new Builder();
        expectations.forEach(builder::expect);
        return builder.build();
    }

    /** Builder of print expectations. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder {

        private final List<PrintExpectation> expectations = new ArrayList<>();

        private Builder() {}

        /**
         * Adds an expectation.
         *
         * @param expectation such as {@code PrintExpectation.of("acc").exactly(4)}
         * @return this
         */
        public Builder expect(PrintExpectation expectation) {
            expectations.add(expectation);
            return this;
        }

        /**
         * Creates the expectations.
         *
         * @return the expectations
         */
        public PrintExpectations build() {
            return new PrintExpectations(this);
        }
    }
}
