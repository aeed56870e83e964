package dev.neurontest.assertj;

import dev.neurontest.internal.assertj.ObservedTensor;
import dev.neurontest.internal.print.PrintFailure;
import dev.neurontest.internal.print.PrintSequence;
import dev.neurontest.internal.print.PrintsComparison;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.PrintExpectation;
import dev.neurontest.print.PrintExpectations;
import dev.neurontest.tensor.TensorView;
import dev.neurontest.tensor.Tolerance;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.DoublePredicate;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.assertj.core.api.InstanceOfAssertFactory;

/**
 * Assertions on the prints of kernels. Each assertion first waits, for a limited time, until earlier prints have arrived.
 *
 * <p>If prints may be missing, or one cannot be read, an assertion that depends on them fails with the reason. Assertions on values fail if
 * there are no prints.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class DevicePrintsAssert extends AbstractNeuronAssert<DevicePrintsAssert, DevicePrints> {

    /**
     * Creates the assertions; usually called by {@link NeuronAssertions#assertThat(DevicePrints)}.
     *
     * @param actual the prints
     */
    public DevicePrintsAssert(DevicePrints actual) {
        super(actual, DevicePrintsAssert.class);
    }

    /**
     * Returns assertions on the prints with a prefix.
     *
     * <pre>{@code
     * assertThat(prints).withPrefix("acc").hasSize(64);                      // succeeds for a loop over 64 tiles
     * assertThat(prints).withPrefix("Acc").hasSize(64);                      // fails
     * }</pre>
     *
     * @param prefix the exact prefix that was passed to {@code device_print}
     * @return assertions on these prints
     */
    public DevicePrintsAssert withPrefix(String prefix) {
        isNotNull();
        return asInstanceOf(new InstanceOfAssertFactory<>(
                DevicePrints.class, prints -> new DevicePrintsAssert(prints.withPrefix(prefix))));
    }

    /**
     * Returns assertions on the prints of a core.
     *
     * <pre>{@code
     * assertThat(prints).onCore(0).hasSize(64);                              // succeeds for a kernel on one core
     * assertThat(prints).onCore(1).hasSize(64);                              // fails
     * }</pre>
     *
     * @param index the index of the core, from 0, as counted by the process that owns it
     * @return assertions on these prints
     */
    public DevicePrintsAssert onCore(int index) {
        isNotNull();
        return asInstanceOf(new InstanceOfAssertFactory<>(
                DevicePrints.class, prints -> new DevicePrintsAssert(prints.onCore(index))));
    }

    /**
     * Returns assertions on the prints of a program, in a test over several hosts.
     *
     * <pre>{@code
     * assertThat(prints).onRank(3).withPrefix("loss").hasSize(1);            // succeeds for a program that prints it once
     * assertThat(prints).onRank(3).withPrefix("loss").isEmpty();             // fails
     * }</pre>
     *
     * @param rank the number of an ended program among all programs of a workload, from 0
     * @return assertions on these prints
     */
    public DevicePrintsAssert onRank(int rank) {
        isNotNull();
        return asInstanceOf(new InstanceOfAssertFactory<>(
                DevicePrints.class, prints -> new DevicePrintsAssert(prints.onRank(rank))));
    }

    /**
     * Verifies that there are exactly as many prints as expected.
     *
     * <pre>{@code
     * assertThat(prints).withPrefix("acc").hasSize(64);                      // succeeds for a loop over 64 tiles
     * assertThat(prints).withPrefix("acc").hasSize(63);                      // fails
     * }</pre>
     *
     * @param expected the number of prints
     * @return this
     */
    public DevicePrintsAssert hasSize(long expected) {
        return numbers(expected, expected, "exactly " + CountText.of(expected, "print"));
    }

    /**
     * Verifies that there are at least as many prints as expected.
     *
     * <pre>{@code
     * assertThat(prints).withPrefix("acc").hasSizeOfAtLeast(64);             // succeeds for a loop over 64 tiles
     * assertThat(prints).withPrefix("acc").hasSizeOfAtLeast(65);             // fails
     * }</pre>
     *
     * @param least the smallest accepted number of prints
     * @return this
     */
    public DevicePrintsAssert hasSizeOfAtLeast(long least) {
        return numbers(least, PrintExpectation.NO_LIMIT, "at least " + CountText.of(least, "print"));
    }

    /**
     * Verifies that there are no prints.
     *
     * <pre>{@code
     * assertThat(prints).withPrefix("overflow").isEmpty();                   // succeeds for a kernel that prints it only then
     * assertThat(prints).withPrefix("acc").isEmpty();                        // fails
     * }</pre>
     *
     * @return this
     */
    public DevicePrintsAssert isEmpty() {
        return numbers(0, 0, "no prints");
    }

    private DevicePrintsAssert numbers(long least, long most, String expected) {
        isNotNull();
        DevicePrints arrived = actual.frozen();
        int number = arrived.size();
        if (number > most || number < least) {
            throw failureWithActualExpected(
                    number,
                    least,
                    "Expected %s%s, but there are %s.%n%s%s",
                    expected,
                    arrived.chosen(),
                    number,
                    arrived.overview(),
                    doubts(arrived));
        }
        if (most != PrintExpectation.NO_LIMIT && !arrived.uncertainties().isEmpty()) {
            throw failure("%s device prints arrived, and there may have been more.%n%s", number, doubts(arrived));
        }
        return this;
    }

    private static String doubts(DevicePrints prints) {
        return prints.uncertainties().isEmpty()
                ? ""
                : prints.uncertainties().stream()
                        .map(reason -> "  " + reason)
                        .collect(Collectors.joining("\n", "In doubt:\n", "\n"));
    }

    /**
     * Verifies that no prints are missing, as far as that can be determined.
     *
     * <pre>{@code
     * assertThat(prints).hasNoDoubts();                                      // succeeds
     * assertThat(printsOfATakenStream).hasNoDoubts();                        // fails with the reason
     * }</pre>
     *
     * @return this
     */
    public DevicePrintsAssert hasNoDoubts() {
        isNotNull();
        if (!actual.doubts().isEmpty()) {
            throw failure("Device prints may be missing.%n%s", doubts(actual));
        }
        return this;
    }

    /**
     * Verifies that there is at least one print and that no value is NaN.
     *
     * <pre>{@code
     * assertThat(prints).withPrefix("scale").hasNoNaN();                     // succeeds
     * assertThat(prints).withPrefix("acc").hasNoNaN();                       // fails, naming the first print with one
     * }</pre>
     *
     * @return this
     */
    public DevicePrintsAssert hasNoNaN() {
        return hasNo(Double::isNaN, "NaN");
    }

    /**
     * Verifies that there is at least one print and that no value is infinite.
     *
     * <pre>{@code
     * assertThat(prints).withPrefix("acc").hasNoInfinity();                  // succeeds
     * assertThat(prints).withPrefix("masked").hasNoInfinity();               // fails
     * }</pre>
     *
     * @return this
     */
    public DevicePrintsAssert hasNoInfinity() {
        return hasNo(Double::isInfinite, "infinite");
    }

    private DevicePrintsAssert hasNo(DoublePredicate what, String name) {
        isNotNull();
        List<DevicePrint> all = some();
        for (DevicePrint print : all) {
            TensorView tensor = print.tensor().written();
            OptionalLong first = tensor.first(what);
            if (first.isPresent()) {
                long matching = all.stream()
                        .filter(each -> each.tensor().written().first(what).isPresent())
                        .count();
                throw failure(
                        "%s, %s %s: %s of %s values %s %s, first at %s; %s",
                        print.label(),
                        tensor.dtypeName(),
                        tensor.shapeText(),
                        tensor.count(what),
                        tensor.size(),
                        tensor.count(what) == 1 ? "is" : "are",
                        name,
                        tensor.index(first.getAsLong()),
                        matching == 1
                                ? "no other of %s prints has such values".formatted(all.size())
                                : "%s of %s prints have such values".formatted(matching, all.size()));
            }
        }
        all.stream().filter(print -> !print.tensor().isDecodable()).findFirst().ifPresent(print -> {
            throw failure("%s %s", print.label(), print.tensor().notDecodable());
        });
        if (!actual.uncertainties().isEmpty()) {
            throw failure("No value that arrived is %s, and prints may be missing.%n%s", name, doubts(actual));
        }
        return this;
    }

    /**
     * Verifies that the first values of the prints count 0, 1, 2, ... on each core. Then no print before the last one was lost. This is
     * meant for a kernel that prints its loop index.
     *
     * <pre>{@code
     * assertThat(prints).withPrefix("turn").hasNoGaps();                     // succeeds for 0, 1, 2, 3
     * assertThat(prints).withPrefix("turn").hasNoGaps();                     // fails for 0, 1, 3
     * }</pre>
     *
     * @return this
     */
    public DevicePrintsAssert hasNoGaps() {
        return hasNoGaps(0, 1);
    }

    /**
     * Verifies that the first values of the prints increase by a constant step on each core.
     *
     * <pre>{@code
     * assertThat(prints).withPrefix("row").hasNoGaps(128, 128);              // succeeds for 128, 256, 384
     * assertThat(prints).withPrefix("row").hasNoGaps(128, 128);              // fails for 256, 384
     * }</pre>
     *
     * @param first the first value of the first print
     * @param step the difference between consecutive prints, greater than 0
     * @return this
     * @throws IllegalArgumentException if the step is not greater than 0
     */
    public DevicePrintsAssert hasNoGaps(long first, long step) {
        isNotNull();
        Map<String, Map<Integer, List<DevicePrint>>> byCore = some().stream()
                .collect(Collectors.groupingBy(
                        print -> print.source().map(" of %s"::formatted).orElse(""),
                        LinkedHashMap::new,
                        Collectors.groupingBy(DevicePrint::coreIndex, TreeMap::new, Collectors.toList())));
        byCore.forEach((program, cores) -> cores.forEach((core, prints) -> PrintSequence.of(prints, 0, first, step)
                .trouble()
                .ifPresent(trouble -> {
                    throw failure(
                            "Core %s%s does not count %s, %s, ...: %s", core, program, first, first + step, trouble);
                })));
        return this;
    }

    /** Returns all prints. Fails if there are none, because assertions on values would then pass even for a misspelt prefix. */
    private List<DevicePrint> some() {
        List<DevicePrint> all = actual.all();
        if (all.isEmpty()) {
            throw failure(
                    "There is no print%s, so no value was checked. If no print is expected, use isEmpty().%n%s%s",
                    actual.chosen(), actual.overview(), doubts(actual));
        }
        return all;
    }

    /**
     * Verifies that the prints meet every expectation; the failure lists all violations.
     *
     * <pre>{@code
     * PrintExpectations rules = PrintExpectations.builder().expect(PrintExpectation.of("acc").exactly(64).withoutNaN()).build();
     * assertThat(prints).meets(rules);                                       // succeeds
     * assertThat(printsOfAFailedRun).meets(rules);                           // fails
     * }</pre>
     *
     * @param rules the expectations
     * @return this
     */
    public DevicePrintsAssert meets(PrintExpectations rules) {
        isNotNull();
        PrintFailure failure = PrintFailure.judged(rules, actual);
        if (failure.isFailure()) {
            throw failureWithActualExpected(failure.actual(), failure.expected(), "%s", failure.text());
        }
        return this;
    }

    /**
     * Verifies that the prints are those of another run of the kernel: each prefix has as many prints, in the same order, with the same
     * shapes and with values within a tolerance. The dtypes can differ. Half a unit of the last digit of a print in text is allowed in
     * addition, such as 0.00005 for a simulation that prints four decimals.
     *
     * <p>If a print is abbreviated, only the values that both prints have are compared, and a notice in the report names their number. The
     * assertion fails if no value could be compared, and if prints may be missing.
     *
     * <pre>{@code
     * assertThat(prints).sameAs(simulated.prints("acc"), Tolerance.absolute(1e-3));   // succeeds
     * assertThat(prints).sameAs(simulated.prints("acc"), Tolerance.exact());          // fails for a sum in another order
     * }</pre>
     *
     * @param expected the prints of the other run, such as those of a simulation
     * @param tolerance the accepted distance of each value
     * @return this
     */
    public DevicePrintsAssert sameAs(DevicePrints expected, Tolerance tolerance) {
        isNotNull();
        DevicePrints arrived = actual.frozen();
        DevicePrints wanted = expected.frozen();
        PrintsComparison comparison = PrintsComparison.of(arrived, wanted, tolerance);
        comparison.refusal().ifPresent(reason -> {
            throw failure("%s", reason);
        });
        if (comparison.differs()) {
            comparison.failed().forEach(each -> actual.remember(each.print(), each.comparison()));
            throw failureWithActualExpected(
                    arrived.prefixes(),
                    wanted.prefixes(),
                    "%s%s%s",
                    comparison.text(),
                    doubts(arrived),
                    doubts(wanted));
        }
        comparison.emptyProof().ifPresent(reason -> {
            throw failure(
                    "%s %s%s%s%s",
                    reason,
                    comparison.partly().map(line -> line + "%n").orElse("").formatted(),
                    arrived.overview(),
                    doubts(arrived),
                    doubts(wanted));
        });
        if (!arrived.uncertainties().isEmpty() || !wanted.uncertainties().isEmpty()) {
            throw failure(
                    "No difference was found in %s, and prints may be missing.%n%s%s",
                    CountText.of(comparison.compared(), "value"), doubts(arrived), doubts(wanted));
        }
        comparison.partly().ifPresent(line -> actual.remark("Comparison with the prints of another run: " + line));
        return this;
    }

    /**
     * Returns assertions on the values of one print.
     *
     * <pre>{@code
     * assertThat(prints).withPrefix("acc").tensor(17).hasShape(128, 512);    // succeeds
     * assertThat(prints).withPrefix("acc").tensor(64).hasShape(128, 512);    // fails: there are 64, from 0
     * }</pre>
     *
     * @param index the position of the print in the order of arrival, from 0
     * @return assertions on its values
     */
    public TensorAssert tensor(int index) {
        isNotNull();
        int number = actual.size();
        if (index < 0 || index >= number) {
            throw failure(
                    "There is no print %s%s: there are %s%s.%n%s%s",
                    index,
                    actual.chosen(),
                    number,
                    number == 0 ? "" : ", counted from 0",
                    actual.overview(),
                    doubts(actual));
        }
        return asInstanceOf(new InstanceOfAssertFactory<>(
                DevicePrints.class, prints -> new TensorAssert(ObservedTensor.of(prints, prints.get(index)))));
    }

    /**
     * Verifies that there is exactly one print and returns assertions on its values.
     *
     * <pre>{@code
     * assertThat(prints).withPrefix("result").onlyTensor().hasNoNaN();       // succeeds
     * assertThat(prints).withPrefix("acc").onlyTensor().hasNoNaN();          // fails: there are 64
     * }</pre>
     *
     * @return assertions on its values
     */
    public TensorAssert onlyTensor() {
        return hasSize(1).tensor(0);
    }
}
