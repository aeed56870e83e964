package dev.neurontest.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.gate.RunFixture;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import org.junit.jupiter.api.Test;

class PrometheusTextTest {

    @Test
    void aFamilyHasItsTypeAndALineForEachSeries() {
        // then
        assertThat(PrometheusText.of(ExportFixture.ordinary())).startsWith("""
                # TYPE neuron_test_info gauge
                neuron_test_info{branch="main",commit="abc1234",neuron_driver="2.30",neuron_instance="trn1.2xlarge",neuron_platform="real"} 1.0
                # TYPE neuron_test_metric_total_time gauge
                neuron_test_metric_total_time{driver="2.30",instance_type="trn2.48xlarge",test="infer()",test_class="com.acme.BertTest"} 0.017
                # TYPE neuron_test_metric_mfu gauge
                neuron_test_metric_mfu{driver="2.30",instance_type="trn2.48xlarge",test="infer()",test_class="com.acme.BertTest"} 0.42
                # TYPE neuron_test_tests gauge
                neuron_test_tests{outcome="failed"} 1.0
                """);
    }

    @Test
    void valuesOfLabelsAreEscapedAndTakenNamesAvoided() {
        // then
        assertThat(PrometheusText.of(ExportFixture.hostile()).lines())
                .contains("neuron_test_metric_total_time{empty=\"\","
                        + "instance_type=\"a=b, \\\"c\\\" \\\\d\\\\ {e} #f\\nü\",neuron_job=\"x\","
                        + "test=\"a=b, \\\"c\\\" \\\\d\\\\ {e} #f\\nü\",test_class=\"com.acme.BertTest\"} 1.0E-9");
    }

    @Test
    void metricsWhoseNamesFallTogetherAreOneSeries() {
        // given
        Metric dotted = new Metric("total.time", Unit.SECONDS, Direction.LOWER, Noise.NOISY);
        RunFixture run = new RunFixture()
                .jvm("real")
                .compared(ExportFixture.comparison(ExportFixture.TIME, "infer()", ExportFixture.STACK, 1))
                .compared(ExportFixture.comparison(dotted, "infer()", ExportFixture.STACK, 2));

        // then
        assertThat(PrometheusText.of(ExportFixture.points(run)).lines())
                .filteredOn(line -> line.startsWith("neuron_test_metric_total_time{"))
                .hasSize(1);
    }
}
