package dev.neurontest.print;

import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.print.PrintCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * What a test demands of its prints. Immutable; one value serves any number of tests.
 *
 * <p>Where prints may be missing, or one of the same prefix cannot be read, a demand is decided only if that cannot matter: more than
 * allowed are too many in any case, and at least as many as demanded stay enough. NaN and infinities are reported even when no demand asks for them.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PrintExpectations implements Expectation<DevicePrints> {

    /** What holds unless a test says otherwise: nothing is demanded, and what is remarkable is told. */
    public static final PrintExpectations DEFAULT = builder().build();

    private final List<PrintExpectation> demands;

    private PrintExpectations(Builder builder) {
        this.demands = List.copyOf(builder.demands);
    }

    /**
     * Starts without demands.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The demands.
     *
     * @return in the order in which they were added
     */
    public List<PrintExpectation> demands() {
        return demands;
    }

    @API(status = API.Status.INTERNAL, since = "0.1")
    @Override
    public Judgement judge(DevicePrints prints) {
        PrintCheck check = new PrintCheck(prints);
        demands.forEach(check::hold);
        return check.judgement(demands);
    }

    @API(status = API.Status.INTERNAL, since = "0.1")
    @Override
    public Expectation<DevicePrints> ofAbortedBody() {
        PrintExpectations forbidding = of(demands.stream().filter(demand -> !demand.asksForPrints()));
        PrintExpectations all = of(demands.stream().flatMap(demand -> demand.ofAbortedBody().stream()));
        return prints -> {
            Judgement found = all.judge(prints);
            return new Judgement(found.violations(), forbidding.judge(prints).undecided(), found.notices());
        };
    }

    private static PrintExpectations of(Stream<PrintExpectation> demands) {
        Builder builder = new Builder();
        demands.forEach(builder::expect);
        return builder.build();
    }

    /** Collects demands. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder {

        private final List<PrintExpectation> demands = new ArrayList<>();

        private Builder() {}

        /**
         * Adds a demand.
         *
         * @param demand such as {@code PrintExpectation.of("acc").exactly(4)}
         * @return this
         */
        public Builder expect(PrintExpectation demand) {
            demands.add(demand);
            return this;
        }

        /**
         * Ends building.
         *
         * @return the rules
         */
        public PrintExpectations build() {
            return new PrintExpectations(this);
        }
    }
}
