package dev.neurontest.internal.profile;

import dev.neurontest.internal.json.Json;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.NtffHeader;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ToolRun;
import dev.neurontest.profile.TracedExecution;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import tools.jackson.core.JsonGenerator;

/** Writer of the JSON form that {@link Profile#toJson()} documents. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProfileMembers {

    private static final int VERSION = 1;

    /** Limit up to which a {@code double} represents every whole number. */
    private static final double WHOLE = 1L << 53;

    private final JsonGenerator json;

    private ProfileMembers(JsonGenerator json) {
        this.json = json;
    }

    /** Writes a profile as one JSON object. */
    public static String of(Profile profile) {
        return of(profile, more -> {});
    }

    /**
     * Writes a profile as one JSON object, with additional members before the last one.
     *
     * @param more the writer of the additional members
     */
    public static String of(Profile profile, Consumer<JsonGenerator> more) {
        return Json.text(json -> new ProfileMembers(json).write(profile, more));
    }

    private void write(Profile profile, Consumer<JsonGenerator> more) {
        json.writeStartObject();
        json.writeNumberProperty("version", VERSION);
        json.writeStringProperty("kind", Measurement.PROFILE);
        json.writeStringProperty("title", profile.title());
        json.writeStringProperty("capture", name(profile.capture()));
        json.writeStringProperty("tool", profile.tool());
        json.writeStringProperty("folder", profile.folder().toString());
        doubts(profile.doubts());
        Json.strings(json, "notices", profile.notices());
        executions("executions", profile, profile.executions());
        executions("helpers", profile, profile.helpers());
        units(profile);
        more.accept(json);
        json.writeName("runs");
        json.writeStartArray();
        profile.runs().forEach(this::run);
        json.writeEndArray();
        json.writeEndObject();
    }

    private void executions(String name, Profile profile, List<TracedExecution> executions) {
        json.writeName(name);
        json.writeStartArray();
        executions.forEach(execution -> execution(execution, profile.viewCommand(execution)));
        json.writeEndArray();
    }

    private void execution(TracedExecution execution, Optional<String> viewCommand) {
        json.writeStartObject();
        json.writeName("rank");
        execution.rank().ifPresentOrElse(json::writeNumber, json::writeNull);
        execution.host().ifPresent(host -> json.writeStringProperty("host", host));
        json.writeNumberProperty("index", execution.index());
        json.writeStringProperty("neff", execution.neff().toString());
        json.writeStringProperty("ntff", execution.ntff().toString());
        viewCommand.ifPresent(command -> json.writeStringProperty("view", command));
        execution.tablesFolder().ifPresent(folder -> json.writeStringProperty("tables", folder.toString()));
        json.writeStringProperty("key", execution.summary().key());
        execution.header().ifPresent(this::header);
        json.writeName("metrics");
        json.writeStartObject();
        execution.summary().values().forEach(this::metric);
        json.writeEndObject();
        Json.strings(json, "oddities", execution.summary().oddities());
        doubts(execution.doubts());
        json.writeEndObject();
    }

    private void header(NtffHeader header) {
        json.writeName("header");
        json.writeStartObject();
        json.writeNumberProperty("ntffVersion", header.version());
        header.neffName().ifPresent(name -> json.writeStringProperty("neffName", name));
        header.neffUuid().ifPresent(uuid -> json.writeStringProperty("neffUuid", uuid));
        header.instanceType().ifPresent(type -> json.writeStringProperty("instanceType", type));
        json.writeNumberProperty("notificationBytes", header.notificationBytes());
        json.writeBooleanProperty("cut", header.cut());
        json.writeEndObject();
    }

    private void metric(String name, Object value) {
        if (value instanceof Double number) {
            number(json, name, number);
        } else {
            json.writeStringProperty(name, value.toString());
        }
    }

    /** Writes a number. A whole number is written without a fraction if it is exact. */
    public static void number(JsonGenerator json, String name, double number) {
        if (number == Math.rint(number) && Math.abs(number) <= WHOLE) {
            json.writeNumberProperty(name, (long) number);
        } else {
            json.writeNumberProperty(name, number);
        }
    }

    private void units(Profile profile) {
        Map<String, String> symbols = new TreeMap<>();
        Stream.of(profile.executions(), profile.helpers())
                .flatMap(List::stream)
                .flatMap(execution -> execution.summary().values().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new))
                .forEach(metric -> ProfileMetrics.find(metric)
                        .ifPresent(known ->
                                symbols.put(metric, known.metric().unit().symbol())));
        json.writeName("units");
        json.writeStartObject();
        symbols.forEach(json::writeStringProperty);
        json.writeEndObject();
    }

    private void run(ToolRun run) {
        json.writeStartObject();
        Json.strings(json, "command", run.command());
        json.writeStringProperty("end", run.end());
        json.writeNumberProperty("tookMillis", run.took().toMillis());
        json.writeStringProperty("log", run.log());
        json.writeEndObject();
    }

    private void doubts(List<Doubt> doubts) {
        json.writeName("doubts");
        json.writeStartArray();
        for (Doubt doubt : doubts) {
            json.writeStartObject();
            json.writeStringProperty("kind", name(doubt.kind()));
            json.writeStringProperty("reason", doubt.reason());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
