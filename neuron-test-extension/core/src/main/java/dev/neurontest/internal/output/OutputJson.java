package dev.neurontest.internal.output;

import dev.neurontest.internal.json.Json;
import dev.neurontest.internal.judgement.Measurement;
import org.apiguardian.api.API;
import tools.jackson.core.JsonGenerator;

/** Writer of the outputs of a test as JSON. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OutputJson {

    private static final int VERSION = 1;

    private final JsonGenerator json;

    private OutputJson(JsonGenerator json) {
        this.json = json;
    }

    /** Formats the outputs as one object. */
    public static String of(CollectedOutputs outputs) {
        return Json.text(json -> new OutputJson(json).write(outputs));
    }

    private void write(CollectedOutputs outputs) {
        json.writeStartObject();
        json.writeNumberProperty("version", VERSION);
        json.writeStringProperty("kind", Measurement.OUTPUTS);
        json.writeName("executed");
        json.writeStartArray();
        outputs.executed().forEach(this::model);
        json.writeEndArray();
        json.writeName("outputs");
        json.writeStartArray();
        outputs.series().forEach(this::series);
        json.writeEndArray();
        json.writeEndObject();
    }

    private void model(ExecutedModel model) {
        json.writeStartObject();
        json.writeStringProperty("model", model.model());
        json.writeStringProperty("core", model.core());
        json.writeNumberProperty("executions", model.executions());
        json.writeNumberProperty("completed", model.completed());
        json.writeStringProperty("lastFailure", model.lastFailure());
        json.writeEndObject();
    }

    private void series(OutputSeries series) {
        json.writeStartObject();
        json.writeStringProperty("output", series.origin().output());
        json.writeStringProperty("model", series.origin().model());
        json.writeStringProperty("core", series.origin().core());
        json.writeNumberProperty("examined", series.examined());
        json.writeNumberProperty("faulty", series.faulty());
        json.writeStringProperty("notExamined", series.whyNotRead());
        json.writeStringProperty(
                "expectation",
                series.expectation().map(OutputExpectation::words).orElse(""));
        series.shown().ifPresent(this::content);
        json.writeEndObject();
    }

    private void content(OutputRecord output) {
        json.writeNumberProperty("execution", output.origin().execution());
        json.writeStringProperty("dtype", output.dtype());
        json.writeName("shape");
        json.writeStartArray();
        output.shape().forEach(json::writeNumber);
        json.writeEndArray();
        json.writeNumberProperty("size", output.size());
        output.values().least().ifPresent(least -> json.writeNumberProperty("least", least));
        output.values().most().ifPresent(most -> json.writeNumberProperty("most", most));
        json.writeNumberProperty("zeros", output.values().zeros());
        json.writeNumberProperty("nan", output.values().nan());
        json.writeNumberProperty("infinite", output.values().infinite());
        json.writeNumberProperty("unwritten", output.unwritten());
        json.writeStringProperty("whyNotFilled", output.whyNotFilled());
        json.writeStringProperty("sha256", output.hash());
        json.writeStringProperty("goldenSha256", output.golden());
        json.writeStringProperty("found", output.found());
        if (!output.comparison().isEmpty()) {
            json.writeStringProperty("comparison", output.comparison());
        }
    }
}
