package dev.neurontest.examples.documentation;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * A job of the MPI operator. Its fields are those of {@code kubeflow.org/v2beta1}, which the client of Kubernetes does
 * not have: an element of an object is its type, or the values of a text.
 */
final class MpiJob {

    private static final String TEXT = "";
    private static final Integer NUMBER = 0;
    private static final Set<String> ANY_OBJECT = Set.of();

    private static final Map<String, Object> REPLICA = Map.of(
            "replicas",
            NUMBER,
            "restartPolicy",
            List.of("Always", "OnFailure", "Never"),
            "template",
            V1PodTemplateSpec.class);

    private static final Map<String, Object> FIELDS = Map.of(
            "apiVersion", TEXT,
            "kind", TEXT,
            "metadata", ANY_OBJECT,
            "spec",
                    Map.of(
                            "slotsPerWorker", NUMBER,
                            "runLauncherAsWorker", true,
                            "launcherCreationPolicy", List.of("AtStartup", "WaitForWorkersReady"),
                            "mpiImplementation", List.of("OpenMPI", "Intel", "MPICH"),
                            "sshAuthMountPath", TEXT,
                            "runPolicy",
                                    Map.of(
                                            "activeDeadlineSeconds", NUMBER,
                                            "backoffLimit", NUMBER,
                                            "cleanPodPolicy", List.of("All", "Running", "None"),
                                            "managedBy", TEXT,
                                            "schedulingPolicy", ANY_OBJECT,
                                            "suspend", true,
                                            "ttlSecondsAfterFinished", NUMBER),
                            "mpiReplicaSpecs", Map.of("Launcher", REPLICA, "Worker", REPLICA)));

    private V1ObjectMeta metadata;
    private Spec spec;

    private MpiJob() {}

    private static final class Spec {
        private String launcherCreationPolicy;
        private RunPolicy runPolicy;
        private Map<String, Replica> mpiReplicaSpecs;
    }

    private static final class RunPolicy {
        private Integer backoffLimit;
    }

    private static final class Replica {
        private Integer replicas;
        private V1PodTemplateSpec template;
    }

    static void check(JsonElement document) throws IOException {
        check("$", document, FIELDS);
        Set<String> replicas = document.getAsJsonObject()
                .getAsJsonObject("spec")
                .getAsJsonObject("mpiReplicaSpecs")
                .keySet();
        if (!replicas.equals(Set.of("Launcher", "Worker"))) {
            throw new JsonParseException(
                    "mpiReplicaSpecs has %s, expected Launcher and Worker".formatted(new TreeSet<>(replicas)));
        }
    }

    private static void check(String path, JsonElement found, Object type) throws IOException {
        if (type == V1PodTemplateSpec.class) {
            V1PodTemplateSpec.validateJsonElement(found);
        } else if (type instanceof Map<?, ?> fields) {
            object(path, found, fields);
        } else if (type instanceof List<?> values) {
            if (!found.isJsonPrimitive() || !values.contains(found.getAsString())) {
                throw new JsonParseException("%s is %s, expected one of %s".formatted(path, found, values));
            }
        } else if (!isOf(type, found)) {
            throw new JsonParseException("%s is %s, which is of another type".formatted(path, found));
        }
    }

    private static boolean isOf(Object type, JsonElement found) {
        if (type == ANY_OBJECT) {
            return found.isJsonObject();
        }
        return found.isJsonPrimitive()
                && (type == TEXT
                        ? found.getAsJsonPrimitive().isString()
                        : type == NUMBER
                                ? found.getAsString().matches("-?[0-9]+")
                                        && found.getAsJsonPrimitive().isNumber()
                                : found.getAsJsonPrimitive().isBoolean());
    }

    private static void object(String path, JsonElement found, Map<?, ?> fields) throws IOException {
        if (!(found instanceof JsonObject object) || found instanceof JsonArray) {
            throw new JsonParseException("%s is %s, expected an object".formatted(path, found));
        }
        for (Map.Entry<String, JsonElement> field : object.entrySet()) {
            Object type = fields.get(field.getKey());
            if (type == null) {
                throw new JsonParseException("The field `%s` of %s is not defined".formatted(field.getKey(), path));
            }
            check(path + "." + field.getKey(), field.getValue(), type);
        }
        for (String required : Set.of("spec", "mpiReplicaSpecs", "template")) {
            if (fields.containsKey(required) && !object.has(required)) {
                throw new JsonParseException("The required field `%s` of %s is not found".formatted(required, path));
            }
        }
    }

    V1ObjectMeta getMetadata() {
        return metadata;
    }

    V1PodTemplateSpec launcher() {
        return Objects.requireNonNull(spec.mpiReplicaSpecs.get("Launcher").template);
    }

    V1PodTemplateSpec worker() {
        return Objects.requireNonNull(spec.mpiReplicaSpecs.get("Worker").template);
    }

    int workers() {
        return Objects.requireNonNullElse(spec.mpiReplicaSpecs.get("Worker").replicas, 1);
    }

    boolean waitsForWorkers() {
        return "WaitForWorkersReady".equals(spec.launcherCreationPolicy);
    }

    boolean runsOnce() {
        return spec.runPolicy != null && Objects.equals(spec.runPolicy.backoffLimit, 0);
    }
}
