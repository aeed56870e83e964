package dev.neurontest.examples.documentation;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import io.kubernetes.client.custom.QuantityFormatException;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1PersistentVolumeClaim;
import io.kubernetes.client.openapi.models.V1ResourceClaimTemplate;
import java.io.IOException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * The schema of the API of Kubernetes, taken from its client, and of a job of the MPI operator. Refuses unknown fields, missing required fields and
 * values of another type, as a cluster does.
 */
final class KubernetesSchema {

    /**
     * A parser with strict types. The client alone would accept the number 8 as a text, and the text "8" as a number.
     */
    private static final Gson TYPED = new GsonBuilder()
            .registerTypeAdapter(String.class, only(JsonToken.STRING, JsonReader::nextString))
            .registerTypeAdapter(Boolean.class, only(JsonToken.BOOLEAN, JsonReader::nextBoolean))
            .registerTypeAdapter(Integer.class, only(JsonToken.NUMBER, JsonReader::nextInt))
            .registerTypeAdapter(Long.class, only(JsonToken.NUMBER, JsonReader::nextLong))
            // Only a cluster writes this type. Without an adapter, Gson would use reflection on classes of the JDK.
            .registerTypeAdapter(OffsetDateTime.class, only(JsonToken.END_DOCUMENT, reader -> null))
            .create();

    private static final Gson TREE = new GsonBuilder().serializeNulls().create();

    private static final Map<String, Kind<?>> KINDS = Map.of(
            "kubeflow.org/v2beta1 MPIJob", new Kind<>(MpiJob.class, MpiJob::check),
            "batch/v1 Job", new Kind<>(V1Job.class, V1Job::validateJsonElement),
            "v1 PersistentVolumeClaim",
                    new Kind<>(V1PersistentVolumeClaim.class, V1PersistentVolumeClaim::validateJsonElement),
            "resource.k8s.io/v1 ResourceClaimTemplate",
                    new Kind<>(V1ResourceClaimTemplate.class, V1ResourceClaimTemplate::validateJsonElement));

    private KubernetesSchema() {}

    /**
     * Reads all documents of a manifest.
     *
     * @throws IllegalArgumentException when a document breaks the schema, with the place in the message
     */
    static List<Object> read(String manifest) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        try {
            return StreamSupport.stream(
                            new Yaml(new SafeConstructor(options))
                                    .loadAll(manifest)
                                    .spliterator(),
                            false)
                    .map(TREE::toJsonTree)
                    .map(KubernetesSchema::typed)
                    .toList();
        } catch (YAMLException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static Object typed(JsonElement document) {
        String name = Stream.of("apiVersion", "kind")
                .map(field -> document.getAsJsonObject().get(field))
                .map(value -> value == null ? "unknown" : value.getAsString())
                .collect(Collectors.joining(" "));
        Kind<?> kind = KINDS.get(name);
        if (kind == null) {
            throw new IllegalArgumentException("The kind %s is none of %s".formatted(name, KINDS.keySet()));
        }
        return kind.read(document);
    }

    private record Kind<T>(Class<T> type, Schema schema) {

        T read(JsonElement document) {
            try {
                schema.check(document);
                // The document is parsed as text, because a tree would make an integer of 2.5.
                return TYPED.fromJson(document.toString(), type);
            } catch (IOException | JsonParseException | QuantityFormatException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        }
    }

    private interface Schema {
        void check(JsonElement document) throws IOException;
    }

    private interface Reading<T> {
        T next(JsonReader reader) throws IOException;
    }

    private static <T> TypeAdapter<T> only(JsonToken wanted, Reading<T> reading) {
        return new TypeAdapter<>() {
            @Override
            public T read(JsonReader reader) throws IOException {
                JsonToken found = reader.peek();
                if (found != wanted) {
                    throw new JsonParseException(
                            "%s is a %s, expected a %s".formatted(reader.getPath(), found, wanted));
                }
                return reading.next(reader);
            }

            @Override
            public void write(JsonWriter writer, T value) {
                throw new UnsupportedOperationException("Manifests are only read.");
            }
        };
    }
}
