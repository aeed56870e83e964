package dev.neurontest.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.CompareToBaseline;
import dev.neurontest.ExpectCounter;
import dev.neurontest.ExpectDeviceMemoryReturned;
import dev.neurontest.ExpectPeakMemory;
import dev.neurontest.ExpectPrint;
import dev.neurontest.MaxLatency;
import dev.neurontest.MaxSpill;
import dev.neurontest.MinMfu;
import dev.neurontest.ProfileNeff;
import dev.neurontest.ProfileSql;
import dev.neurontest.RelativeToTest;
import dev.neurontest.Threshold;
import dev.neurontest.metric.Fraction;
import dev.neurontest.profile.Profiler;
import dev.neurontest.workload.Workloads;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of annotations that no test can meet together, on one element or on a class and its method. */
class ContradictingAnnotationsTest {

    @MaxLatency("10 ms")
    @ExpectCounter(value = "infer_failed_to_queue", delta = 0)
    static class ImpossibleFixture {

        @Threshold(metric = "total_time", min = "20 ms")
        @Test
        void slowerThanClass(Profiler profiler) {}

        @ExpectCounter(value = "inference_count", min = 5)
        @ExpectCounter(value = "inference_count", max = 3)
        @Test
        void counterTwice() {}

        @ExpectCounter(value = "status/timeout", delta = 1)
        @ExpectCounter(value = "timeout", delta = 2)
        @Test
        void counterByPathAndName() {}

        @ExpectCounter(value = "execute_failed_to_queue", delta = 1)
        @Test
        void nameOfNewerDriver(Profiler profiler) {}

        @ExpectCounter(value = "inference_count", min = 5, each = true)
        @ExpectCounter(value = "inference_count", max = 4)
        @Test
        void eachMoreThanSum() {}

        @ExpectCounter(value = "inference_count", max = 0, each = true)
        @ExpectCounter(value = "inference_count", min = 1)
        @Test
        void sumMoreThanEach() {}

        @ExpectCounter(value = "device_mem", min = 1)
        @ExpectDeviceMemoryReturned
        @Test
        void keepsReturnedMemory() {}

        @ExpectCounter(value = "device_mem/tensors", min = 4096, each = true)
        @ExpectPeakMemory(category = "tensors", atMost = "2 KiB")
        @Test
        void keepsMoreThanPeak() {}

        @Threshold(line = "a.py:1", max = "1 ms")
        @Threshold(line = "a.py:1", min = "2 ms", over = "worst")
        @Test
        void lineTwice(Profiler profiler) {}

        @Threshold(metric = "hbm_read_bytes", max = "1 MiB", over = "p90")
        @Threshold(metric = "hbm_read_bytes", min = "2 MiB", over = "p20")
        @Test
        void percentilesOverlap(Profiler profiler) {}

        @Threshold(metric = "hbm_read_bytes", min = "2 MiB")
        @Threshold(metric = "hbm_read_bytes", max = "1 MiB")
        @Test
        void minBeforeMax(Profiler profiler) {}

        @MaxSpill("1 MiB")
        @Threshold(metric = "spill_save_bytes", min = "1.5 MiB")
        @Test
        void spillsMore(Profiler profiler) {}

        @Slow
        @Test
        void composed(Profiler profiler) {}

        @ProfileSql(value = "select 1", max = "1")
        @ProfileSql(value = "select 1", min = "2")
        @Test
        void queryTwice(Profiler profiler) {}

        @ProfileSql("select 1")
        @ProfileSql(value = "select 1", max = "2")
        @Test
        void rowAndNoRow(Profiler profiler) {}

        @ExpectPrint(prefix = "acc", count = 4)
        @ExpectPrint(prefix = "acc", min = 5)
        @Test
        void printsTwice(Workloads workloads, Profiler profiler) {}

        @RelativeToTest(method = "composed", metric = "total_time", max = "60 %")
        @RelativeToTest(method = "composed", metric = "total_time", min = "80 %")
        @Test
        void relativeTwice(Profiler profiler) {}

        @RelativeToTest(method = "composed", metric = "total_time", max = "60 %", min = "80 %")
        @Test
        void relativeAlone(Profiler profiler) {}
    }

    static class InvalidFixture {

        @ExpectPeakMemory(category = "tensors", atMost = "2048")
        @Test
        void peakWithoutUnit() {}

        @ExpectDeviceMemoryReturned(tolerance = "5")
        @Test
        void toleranceWithoutUnit() {}

        @ProfileNeff(value = "model.neff", executions = 0)
        @Test
        void noExecutions() {}
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
                    peakWithoutUnit      ; @ExpectPeakMemory(atMost = "2048", category = "tensors"): "2048" has no unit.
                    toleranceWithoutUnit ; @ExpectDeviceMemoryReturned(tolerance = "5"): "5" has no unit.
                    noExecutions         ; @ProfileNeff(value = "model.neff", executions = 0) of
                    """)
    void invalidAnnotationIsQuotedAsInSource(String method, String message) {
        assertThatThrownBy(() -> plan(InvalidFixture.class, method))
                .isInstanceOf(ExtensionConfigurationException.class)
                .hasMessageStartingWith(message);
    }

    @Threshold(metric = "total_time", min = "20 ms")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Slow {}

    @Threshold(metric = "total_time", max = "10 ms")
    @ExpectCounter(value = "inference_count", max = 3)
    static class PossibleFixture {

        @Threshold(metric = "total_time", min = "20 ms")
        @ExpectCounter(value = "inference_count", min = 5)
        @Test
        void replacesThoseOfClass(Profiler profiler) {}

        @Threshold(metric = "hbm_read_bytes", max = "1 MiB", over = "p10")
        @Threshold(metric = "hbm_read_bytes", min = "2 MiB", over = "p10")
        @Threshold(metric = "mfu_estimated_percent", max = "42 %")
        @MinMfu("42 %")
        @ProfileSql(value = "select 1", max = "2")
        @ProfileSql(value = "select 2", min = "3")
        @ProfileSql(value = "select 1", min = "2")
        @RelativeToTest(method = "replacesThoseOfClass", metric = "total_time", max = "60 %")
        @RelativeToTest(method = "replacesThoseOfClass", metric = "hbm_read_bytes", min = "80 %")
        @Test
        void differentThings(Profiler profiler) {}

        @ExpectCounter(value = "device_mem", min = 5, each = false)
        @ExpectPeakMemory(category = "device_mem", atMost = "4 B")
        @ExpectCounter(value = "device_mem/tensors", min = -5, each = true)
        @ExpectCounter(value = "device_mem/tensors", max = -8)
        @ExpectCounter(value = "status/timeout", delta = 1)
        @ExpectCounter(value = "other/timeout", delta = 2)
        @Test
        void dependsOnNumberOfCores(Profiler profiler) {}
    }

    private static TestPlan plan(Class<?> type, String name) {
        Method method = Stream.of(type.getDeclaredMethods())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return new TestPlan.Source(List.of(type), method, false).read();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
                    slowerThanClass      ; @MaxLatency("10 ms") on ImpossibleFixture and @Threshold(metric = "total_time", min = "20 ms") on ImpossibleFixture.slowerThanClass()
                    counterTwice         ; @ExpectCounter(value = "inference_count", min = 5) on ImpossibleFixture.counterTwice() and @ExpectCounter(value = "inference_count", max = 3) on ImpossibleFixture.counterTwice()
                    counterByPathAndName ; @ExpectCounter(value = "status/timeout", delta = 1) on ImpossibleFixture.counterByPathAndName() and @ExpectCounter(value = "timeout", delta = 2)
                    nameOfNewerDriver    ; @ExpectCounter(value = "infer_failed_to_queue", delta = 0) on ImpossibleFixture and @ExpectCounter(value = "execute_failed_to_queue", delta = 1)
                    eachMoreThanSum      ; @ExpectCounter(value = "inference_count", each = true, min = 5) on ImpossibleFixture.eachMoreThanSum() and
                    sumMoreThanEach      ; @ExpectCounter(value = "inference_count", each = true, max = 0) on ImpossibleFixture.sumMoreThanEach() and
                    keepsReturnedMemory  ; @ExpectCounter(value = "device_mem", min = 1) on ImpossibleFixture.keepsReturnedMemory() and @ExpectDeviceMemoryReturned on
                    keepsMoreThanPeak    ; and @ExpectPeakMemory(atMost = "2 KiB", category = "tensors") on ImpossibleFixture.keepsMoreThanPeak()
                    lineTwice            ; @Threshold(line = "a.py:1", max = "1 ms") on ImpossibleFixture.lineTwice() and @Threshold(line = "a.py:1", min = "2 ms", over = "worst")
                    percentilesOverlap   ; over = "p90") on ImpossibleFixture.percentilesOverlap() and
                    minBeforeMax         ; @Threshold(metric = "hbm_read_bytes", min = "2 MiB") on ImpossibleFixture.minBeforeMax() and @Threshold(max = "1 MiB",
                    spillsMore           ; @MaxSpill("1 MiB") on ImpossibleFixture.spillsMore() and @Threshold(metric = "spill_save_bytes", min = "1.5 MiB")
                    composed             ; @MaxLatency("10 ms") on ImpossibleFixture and @Threshold(metric = "total_time", min = "20 ms") on ImpossibleFixture.composed()
                    queryTwice           ; @ProfileSql(value = "select 1", max = "1") on ImpossibleFixture.queryTwice() and @ProfileSql(value = "select 1", min = "2")
                    rowAndNoRow          ; @ProfileSql("select 1") on ImpossibleFixture.rowAndNoRow() and @ProfileSql(value = "select 1", max = "2")
                    printsTwice          ; @ExpectPrint(prefix = "acc", count = 4) on ImpossibleFixture.printsTwice() and @ExpectPrint(prefix = "acc", min = 5)
                    relativeTwice        ; max = "60 %") on ImpossibleFixture.relativeTwice() and @RelativeToTest
                    """)
    void contradictionIsRefusedNamingBothAnnotationsAndPlaces(String method, String both) {
        assertThatThrownBy(() -> plan(ImpossibleFixture.class, method))
                .isInstanceOf(ExtensionConfigurationException.class)
                .hasMessageContaining(both)
                .hasMessageEndingWith(" cannot both be met. Correct or remove one of them.");
    }

    @ExpectCounter(value = "inference_count", min = 5, wholeClass = true)
    @ExpectCounter(value = "inference_count", max = 3, wholeClass = true)
    static class ImpossibleClassFixture {}

    @Test
    void contradictionOverWholeClassIsRefused() {
        assertThatThrownBy(() -> CounterAnnotations.ofClass(List.of(ImpossibleClassFixture.class)))
                .isInstanceOf(ExtensionConfigurationException.class)
                .hasMessageContaining("on ImpossibleClassFixture and @ExpectCounter(")
                .hasMessageEndingWith(" cannot both be met. Correct or remove one of them.");
    }

    @CompareToBaseline(metric = "total_time", margin = "1 %")
    static class ComparedFixture {

        @CompareToBaseline(metric = "total_time", margin = "3 %")
        @CompareToBaseline(metric = "total_time", margin = "30 %")
        @Test
        void twice() {}

        @CompareToBaseline(metric = "total_time", margin = "3 %")
        @CompareToBaseline(metric = "hbm_read_bytes")
        @Test
        void replacesThatOfClass() {}
    }

    private static ComparisonPlan comparisons(String method) throws NoSuchMethodException {
        return BaselineAnnotations.plan(
                List.of(ComparedFixture.class), ComparedFixture.class.getDeclaredMethod(method));
    }

    @Test
    void twoComparisonsOfOneMetricAreRefused() {
        assertThatThrownBy(() -> comparisons("twice"))
                .isInstanceOf(ExtensionConfigurationException.class)
                .hasMessageContaining("margin = \"3 %\") on ComparedFixture.twice() and @CompareToBaseline(")
                .hasMessageEndingWith(
                        "margin = \"30 %\") on ComparedFixture.twice() compare the same metric. Remove one of them.");
    }

    @CompareToBaseline(metric = "total_time", margin = "5 %")
    static class InheritedFixture extends ComparedFixture {

        @Test
        void own() {}
    }

    @Test
    void comparisonReplacesThatOfSuperclass() throws Exception {
        assertThat(BaselineAnnotations.plan(
                                List.of(InheritedFixture.class), InheritedFixture.class.getDeclaredMethod("own"))
                        .expectations())
                .extracting(expectation -> expectation.margin().orElseThrow())
                .containsExactly(Fraction.parse("5 %"));
    }

    @Test
    void comparisonReplacesThatOfClass() throws Exception {
        assertThat(comparisons("replacesThatOfClass").expectations())
                .extracting(expectation -> expectation.metric().name() + " " + expectation.margin())
                .containsExactly("total_time Optional[3 %]", "hbm_read_bytes Optional.empty");
    }

    @Test
    void relationWithMinAboveMaxIsRefused() {
        assertThatThrownBy(() -> plan(ImpossibleFixture.class, "relativeAlone"))
                .isInstanceOf(ExtensionConfigurationException.class)
                .hasMessageContaining("max = \"60 %\", min = \"80 %\") cannot be met: min is greater than max.");
    }

    @ParameterizedTest
    @MethodSource
    void annotationsThatCanBeMetTogetherAreAccepted(String method) {
        assertThat(plan(PossibleFixture.class, method).profiles().rules().thresholds())
                .isNotEmpty();
    }

    static List<String> annotationsThatCanBeMetTogetherAreAccepted() {
        return List.of("replacesThoseOfClass", "differentThings", "dependsOnNumberOfCores");
    }
}
