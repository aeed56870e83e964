package dev.neurontest.examples.documentation;

import static java.util.Objects.requireNonNullElse;

import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1DeviceClaim;
import io.kubernetes.client.openapi.models.V1DeviceRequest;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1ExactDeviceRequest;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PersistentVolumeClaim;
import io.kubernetes.client.openapi.models.V1PodFailurePolicyRule;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1ResourceClaimTemplate;
import io.kubernetes.client.openapi.models.V1Volume;
import io.kubernetes.client.openapi.models.V1VolumeMount;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Manifests that are applied together. Finds problems that no schema can express: those that a cluster reports on
 * validation and admission, and those of the shards.
 */
record KubernetesManifests(List<Object> documents) {

    private static final String NAME = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
    private static final String DRIVER = "neuron.aws.com";

    /**
     * Parses the manifests.
     *
     * @throws IllegalArgumentException when a document breaks the schema, with the place in the message
     */
    static KubernetesManifests of(String... manifests) {
        return new KubernetesManifests(Stream.of(manifests)
                .flatMap(manifest -> KubernetesSchema.read(manifest).stream())
                .toList());
    }

    private <T> List<T> all(Class<T> kind) {
        return documents.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    List<V1Job> jobs() {
        return all(V1Job.class);
    }

    List<MpiJob> mpiJobs() {
        return all(MpiJob.class);
    }

    /** Returns the only container of the only Job with this name. */
    V1Container container(String job) {
        List<V1Container> found = jobs().stream()
                .filter(each -> each.getMetadata().getName().equals(job))
                .flatMap(each -> pod(each).getContainers().stream())
                .toList();
        if (found.size() != 1) {
            throw new IllegalArgumentException("%s has %d containers".formatted(job, found.size()));
        }
        return found.get(0);
    }

    static V1PodSpec pod(V1Job job) {
        return Objects.requireNonNull(job.getSpec().getTemplate().getSpec(), "a pod needs a spec");
    }

    /** Returns the problems, one line each. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        Stream.of(
                        jobs().stream().map(V1Job::getMetadata),
                        mpiJobs().stream().map(MpiJob::getMetadata),
                        all(V1PersistentVolumeClaim.class).stream().map(V1PersistentVolumeClaim::getMetadata),
                        all(V1ResourceClaimTemplate.class).stream().map(V1ResourceClaimTemplate::getMetadata))
                .flatMap(each -> each)
                .map(metadata -> metadata == null ? "" : requireNonNullElse(metadata.getName(), ""))
                .filter(name -> !name.matches(NAME))
                .forEach(name -> problems.add("\"" + name + "\" is no name of an object"));
        jobs().forEach(job -> new Job(job.getSpec(), pod(job), problems).check());
        mpiJobs().forEach(job -> hosts(job, problems));
        all(V1PersistentVolumeClaim.class).forEach(claim -> storage(claim, problems));
        all(V1ResourceClaimTemplate.class)
                .forEach(template -> new Devices(template.getSpec().getSpec().getDevices(), problems).check());
        return problems;
    }

    private List<String> names(Stream<V1ObjectMeta> all) {
        return all.map(V1ObjectMeta::getName).toList();
    }

    /** Checks the pods of a job of the MPI operator. The tests run in the launcher, on the devices of the workers. */
    private void hosts(MpiJob job, List<String> problems) {
        Job launcher =
                new Job(new V1JobSpec(), Objects.requireNonNull(job.launcher().getSpec()), problems);
        Job worker =
                new Job(new V1JobSpec(), Objects.requireNonNull(job.worker().getSpec()), problems);
        launcher.checkPod();
        worker.checkPod();
        unless(launcher.devices().isEmpty(), problems, "the launcher needs no device, but asks for one");
        unless(!worker.devices().isEmpty(), problems, "the workers have no device");
        unless(job.workers() > 1, problems, "there are %s workers, expected several", job.workers());
        unless(job.waitsForWorkers(), problems, "the launcher has to wait until an sshd runs in each worker");
        unless(
                worker.pod.getContainers().stream().allMatch(container -> container.getReadinessProbe() != null),
                problems,
                "a worker without readinessProbe is ready before its sshd");
        unless(job.runsOnce(), problems, "backoffLimit has to be 0: tests that failed are not run again");
        unless(
                launcher.images().equals(worker.images()),
                problems,
                "the images %s and %s differ, but the jar has the same path on all hosts",
                launcher.images(),
                worker.images());
    }

    private static void storage(V1PersistentVolumeClaim claim, List<String> problems) {
        unless(
                List.of("ReadWriteMany").equals(claim.getSpec().getAccessModes()),
                problems,
                "accessModes is %s, but pods on several nodes write: expected ReadWriteMany",
                claim.getSpec().getAccessModes());
        unless(
                claim.getSpec().getResources() != null
                        && requireNonNullElse(claim.getSpec().getResources().getRequests(), Map.of())
                                .containsKey("storage"),
                problems,
                "the claim of the volume does not say how much storage it wants");
    }

    private static void unless(boolean holds, List<String> problems, String message, Object... values) {
        if (!holds) {
            problems.add(message.formatted(values));
        }
    }

    private static <T> List<T> some(List<T> list) {
        return requireNonNullElse(list, List.of());
    }

    private static void known(String what, Collection<String> used, Collection<String> known, List<String> problems) {
        used.stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> problems.add("%s \"%s\" is none of %s".formatted(what, name, known)));
    }

    private final class Job {

        private final V1JobSpec spec;
        private final V1PodSpec pod;
        private final List<String> problems;

        Job(V1JobSpec spec, V1PodSpec pod, List<String> problems) {
            this.spec = spec;
            this.pod = pod;
            this.problems = problems;
        }

        void check() {
            unless(
                    "Never".equals(pod.getRestartPolicy()),
                    problems,
                    "restartPolicy is %s, but each start has to be a pod of its own, whose end the Job judges: expected Never",
                    pod.getRestartPolicy());
            indexes();
            failures();
            checkPod();
            pod.getContainers().forEach(this::testsHaveDevices);
        }

        void checkPod() {
            volumes();
            pod.getContainers().forEach(this::container);
            pod.getContainers().forEach(this::devices);
        }

        List<String> images() {
            return pod.getContainers().stream().map(V1Container::getImage).toList();
        }

        /** Returns the requested devices of the device plugin and of claims. */
        List<String> devices() {
            return pod.getContainers().stream()
                    .flatMap(each -> Stream.concat(limits(each).keySet().stream(), claims(each).stream()))
                    .toList();
        }

        private List<String> claims(V1Container container) {
            return container.getResources() == null
                    ? List.of()
                    : some(container.getResources().getClaims()).stream()
                            .map(claim -> claim.getName())
                            .toList();
        }

        private Map<String, ?> limits(V1Container container) {
            return container.getResources() == null
                    ? Map.of()
                    : requireNonNullElse(container.getResources().getLimits(), Map.of());
        }

        private void indexes() {
            boolean indexed = "Indexed".equals(spec.getCompletionMode());
            List<String> counts = pod.getContainers().stream()
                    .flatMap(container -> some(container.getEnv()).stream())
                    .filter(variable -> variable.getName().equals("NEURON_TEST_SHARD"))
                    .map(V1EnvVar::getValue)
                    .toList();
            unless(
                    counts.isEmpty() || indexed,
                    problems,
                    "completionMode is %s, but only the pods of an Indexed Job know their shard",
                    spec.getCompletionMode());
            unless(
                    counts.stream().allMatch(count -> count.equals("auto/" + spec.getCompletions())),
                    problems,
                    "NEURON_TEST_SHARD is %s, completions is %s: expected auto, / and the same number",
                    counts,
                    spec.getCompletions());
            unless(
                    !indexed || spec.getCompletions() != null,
                    problems,
                    "completionMode is Indexed, but completions is not there");
            unless(
                    indexed || spec.getBackoffLimitPerIndex() == null,
                    problems,
                    "backoffLimitPerIndex needs completionMode Indexed");
            unless(
                    spec.getMaxFailedIndexes() == null
                            || spec.getBackoffLimitPerIndex() != null
                                    && spec.getMaxFailedIndexes().equals(spec.getCompletions()),
                    problems,
                    "maxFailedIndexes is %s, but one shard that fails must not end the others:"
                            + " expected completions, and a backoffLimitPerIndex",
                    spec.getMaxFailedIndexes());
            unless(
                    !indexed || requireNonNullElse(spec.getBackoffLimitPerIndex(), 0) > 0,
                    problems,
                    "backoffLimitPerIndex is %s: a pod that dies with its node is not made again",
                    spec.getBackoffLimitPerIndex());
        }

        private void failures() {
            List<V1PodFailurePolicyRule> rules = spec.getPodFailurePolicy() == null
                    ? List.of()
                    : spec.getPodFailurePolicy().getRules();
            for (V1PodFailurePolicyRule rule : rules) {
                known(
                        "the action",
                        List.of(rule.getAction()),
                        Set.of("Count", "FailIndex", "FailJob", "Ignore"),
                        problems);
                if (rule.getOnExitCodes() != null) {
                    List<Integer> values = rule.getOnExitCodes().getValues();
                    known(
                            "the operator",
                            List.of(rule.getOnExitCodes().getOperator()),
                            Set.of("In", "NotIn"),
                            problems);
                    unless(
                            !values.isEmpty()
                                    && List.copyOf(new TreeSet<>(values)).equals(values)
                                    && values.get(0) > 0,
                            problems,
                            "the exit codes %s have to be in order, each once, and not 0",
                            values);
                    known(
                            "containerName",
                            Stream.ofNullable(rule.getOnExitCodes().getContainerName())
                                    .toList(),
                            pod.getContainers().stream()
                                    .map(V1Container::getName)
                                    .toList(),
                            problems);
                }
            }
        }

        private void volumes() {
            List<String> volumes =
                    some(pod.getVolumes()).stream().map(V1Volume::getName).toList();
            List<String> mounted = pod.getContainers().stream()
                    .flatMap(container -> some(container.getVolumeMounts()).stream())
                    .map(V1VolumeMount::getName)
                    .toList();
            known("the mounted volume", mounted, volumes, problems);
            known("the volume", volumes, mounted, problems);
            known(
                    "claimName",
                    some(pod.getVolumes()).stream()
                            .filter(volume -> volume.getPersistentVolumeClaim() != null)
                            .map(volume -> volume.getPersistentVolumeClaim().getClaimName())
                            .toList(),
                    names(all(V1PersistentVolumeClaim.class).stream().map(V1PersistentVolumeClaim::getMetadata)),
                    problems);
            known(
                    "the type of a hostPath",
                    some(pod.getVolumes()).stream()
                            .filter(volume -> volume.getHostPath() != null)
                            .map(volume ->
                                    requireNonNullElse(volume.getHostPath().getType(), ""))
                            .toList(),
                    Set.of("DirectoryOrCreate"),
                    problems);
            some(pod.getVolumes()).stream()
                    .filter(volume -> volume.getHostPath() != null)
                    .map(volume -> volume.getHostPath().getPath())
                    .forEach(path -> unless(
                            path.startsWith("/run/"), problems, "the hostPath %s outlives a reboot of its node", path));
        }

        private void container(V1Container container) {
            unless(container.getName().matches(NAME), problems, "\"%s\" is no name", container.getName());
            unless(
                    container.getImage() != null && !container.getImage().isBlank(),
                    problems,
                    "the container %s has no image",
                    container.getName());
            List<String> names =
                    some(container.getEnv()).stream().map(V1EnvVar::getName).toList();
            unless(Set.copyOf(names).size() == names.size(), problems, "the variables %s are not each once", names);
            List<String> paths = some(container.getVolumeMounts()).stream()
                    .map(V1VolumeMount::getMountPath)
                    .toList();
            unless(
                    Set.copyOf(paths).size() == paths.size() && paths.stream().allMatch(path -> path.startsWith("/")),
                    problems,
                    "the paths %s have to be absolute, each once",
                    paths);
        }

        private void devices(V1Container container) {
            List<String> claims = claims(container);
            List<String> ofPod = some(pod.getResourceClaims()).stream()
                    .map(claim -> claim.getName())
                    .toList();
            known("the claim of a container", claims, ofPod, problems);
            known("the claim of the pod", ofPod, claims, problems);
            known(
                    "resourceClaimTemplateName",
                    some(pod.getResourceClaims()).stream()
                            .map(claim -> requireNonNullElse(claim.getResourceClaimTemplateName(), ""))
                            .toList(),
                    names(all(V1ResourceClaimTemplate.class).stream().map(V1ResourceClaimTemplate::getMetadata)),
                    problems);
            Map<String, ?> limits = limits(container);
            known("the resource", limits.keySet(), Set.of("aws.amazon.com/neuron"), problems);
            unless(
                    limits.isEmpty() || claims.isEmpty(),
                    problems,
                    "a container asks the device plugin and the DRA driver: a cluster has one of them");
        }

        private void testsHaveDevices(V1Container container) {
            boolean tests = some(container.getEnv()).stream()
                    .anyMatch(variable -> variable.getName().equals("NEURON_TEST_PLATFORM"));
            unless(
                    tests == (!limits(container).isEmpty() || !claims(container).isEmpty()),
                    problems,
                    tests ? "the tests have no device" : "%s needs no device, but asks for one",
                    container.getName());
        }
    }

    /** A device claim, checked for the groups and settings that the DRA driver of Neuron supports. */
    private record Devices(V1DeviceClaim claim, List<String> problems) {

        void check() {
            List<String> requests =
                    claim.getRequests().stream().map(V1DeviceRequest::getName).toList();
            for (V1DeviceRequest request : claim.getRequests()) {
                V1ExactDeviceRequest exactly =
                        Objects.requireNonNull(request.getExactly(), "only exact requests are used");
                known("deviceClassName", List.of(exactly.getDeviceClassName()), Set.of(DRIVER), problems);
                known("allocationMode", List.of(exactly.getAllocationMode()), Set.of("ExactCount"), problems);
                known("count", List.of(String.valueOf(exactly.getCount())), Set.of("1", "4", "8", "16"), problems);
                known(
                        "matchAttribute",
                        some(claim.getConstraints()).stream()
                                .map(each -> each.getMatchAttribute())
                                .toList(),
                        Set.of("resource.aws.com/devicegroup" + exactly.getCount() + "_id"),
                        problems);
            }
            unless(some(claim.getConstraints()).size() == 1, problems, "the devices are not asked to be connected");
            some(claim.getConstraints())
                    .forEach(each -> known("a request", some(each.getRequests()), requests, problems));
            some(claim.getConfig()).forEach(each -> {
                known("a request", some(each.getRequests()), requests, problems);
                known("the driver", List.of(each.getOpaque().getDriver()), Set.of(DRIVER), problems);
                known(
                        "the configuration",
                        List.of(String.valueOf(each.getOpaque().getParameters())),
                        Stream.of(1, 2)
                                .map(lnc -> "{apiVersion=%s/v1, kind=NeuronConfig, logicalNeuronCore=%s.0}"
                                        .formatted(DRIVER, lnc))
                                .toList(),
                        problems);
            });
        }
    }
}
