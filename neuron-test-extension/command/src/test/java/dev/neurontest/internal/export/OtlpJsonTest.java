package dev.neurontest.internal.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests of the exported JSON with Protocol Buffers, which refuse unknown names. */
class OtlpJsonTest {

    private static ResourceMetrics read(RunPoints points) throws InvalidProtocolBufferException {
        ExportMetricsServiceRequest.Builder request = ExportMetricsServiceRequest.newBuilder();
        JsonFormat.parser().merge(OtlpJson.of(points), request);
        assertThat(request.getResourceMetricsList()).hasSize(1);
        return request.getResourceMetrics(0);
    }

    private static Map<String, String> texts(List<KeyValue> attributes) {
        return attributes.stream()
                .collect(Collectors.toMap(
                        KeyValue::getKey, attribute -> attribute.getValue().getStringValue()));
    }

    @Test
    void resourceNamesCommitPlatformAndDriver() throws InvalidProtocolBufferException {
        // when
        ResourceMetrics read = read(ExportFixture.ordinary());

        // then
        assertThat(texts(read.getResource().getAttributesList()))
                .containsOnly(
                        entry("service.name", "neuron-test"),
                        entry("vcs.ref.head.revision", "abc1234"),
                        entry("vcs.ref.head.name", "main"),
                        entry("neuron.platform", "real"),
                        entry("neuron.instance", "trn1.2xlarge"),
                        entry("neuron.driver", "2.30"));
        assertThat(read.getScopeMetrics(0).getScope().getName()).isEqualTo("dev.neurontest");
    }

    @Test
    void aMetricIsAGaugeWithItsUnitAndTimes() throws InvalidProtocolBufferException {
        // when
        Metric metric = read(ExportFixture.ordinary()).getScopeMetrics(0).getMetrics(0);

        // then
        assertThat(metric.getName()).isEqualTo("neuron.test.metric.total_time");
        assertThat(metric.getUnit()).isEqualTo("s");
        NumberDataPoint point = metric.getGauge().getDataPoints(0);
        assertThat(point.getAsDouble()).isEqualTo(0.017);
        assertThat(point.getTimeUnixNano()).isEqualTo(TimeUnit.SECONDS.toNanos(ExportFixture.ENDED.getEpochSecond()));
        assertThat(point.getTimeUnixNano() - point.getStartTimeUnixNano()).isEqualTo(TimeUnit.SECONDS.toNanos(60));
        assertThat(texts(point.getAttributesList())).containsEntry("test", "infer()");
    }

    @Test
    void pointsOfOneNameAreOneMetric() throws InvalidProtocolBufferException {
        // when
        List<Metric> metrics = read(ExportFixture.ordinary()).getScopeMetrics(0).getMetricsList();

        // then
        assertThat(metrics).extracting(Metric::getName).doesNotHaveDuplicates();
        assertThat(metrics)
                .filteredOn(metric -> metric.getName().equals("neuron.test.tests"))
                .first()
                .satisfies(tests ->
                        assertThat(tests.getGauge().getDataPointsList()).hasSize(6));
    }

    @Test
    void hostileTextIsPreserved() throws InvalidProtocolBufferException {
        // when
        ResourceMetrics read = read(ExportFixture.hostile());

        // then
        NumberDataPoint point = read.getScopeMetrics(0).getMetrics(0).getGauge().getDataPoints(0);
        assertThat(texts(point.getAttributesList()))
                .containsEntry("test", ExportFixture.HOSTILE)
                .containsEntry("empty", "");
        assertThat(point.getAsDouble()).isEqualTo(1e-9);
    }
}
