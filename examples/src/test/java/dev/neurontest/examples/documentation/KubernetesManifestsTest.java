package dev.neurontest.examples.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubernetes.client.openapi.models.V1Container;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that find mistakes in the manifests without a cluster, which would refuse them. */
class KubernetesManifestsTest {

    static final Path FOLDER = Repository.ROOT.resolve("examples/kubernetes");

    private static final String PLUGIN = "shards-device-plugin.yaml";
    private static final String DRA = "shards-dra.yaml";
    private static final String HOSTS = "several-hosts.yaml";

    static String text(String name) throws IOException {
        return Files.readString(FOLDER.resolve(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {PLUGIN, DRA, "report.yaml", "../ci/eks-job.yaml"})
    void manifestsHaveNoProblems(String name) throws IOException {
        // when
        KubernetesManifests manifests = KubernetesManifests.of(text(name), text("results.yaml"));

        // then
        assertThat(manifests.jobs()).hasSize(1);
        assertThat(manifests.problems()).isEmpty();
    }

    @Test
    void manifestOfSeveralHostsHasNoProblems() throws IOException {
        // when
        KubernetesManifests manifests = KubernetesManifests.of(text(HOSTS), text("results.yaml"));

        // then
        assertThat(manifests.mpiJobs()).hasSize(1);
        assertThat(manifests.problems()).isEmpty();
    }

    @Test
    void folderHasOnlyTheTestedManifests() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(PLUGIN, DRA, HOSTS, "report.yaml", "results.yaml");
        }
    }

    @Test
    void shardJobsDifferOnlyInTheirDevices() throws IOException {
        // when
        V1Container plugin = KubernetesManifests.of(text(PLUGIN)).container("neuron-tests");
        V1Container dra = KubernetesManifests.of(text(DRA)).container("neuron-tests");

        // then
        assertThat(plugin.getResources().getLimits()).containsOnlyKeys("aws.amazon.com/neuron");
        assertThat(dra.getResources().getClaims()).hasSize(1);
        assertThat(dra.resources(plugin.getResources())).isEqualTo(plugin);
    }

    @Test
    void reportMountsTheVolumeOfTheShards() throws IOException {
        // when
        V1Container shards = KubernetesManifests.of(text(PLUGIN)).container("neuron-tests");
        V1Container report = KubernetesManifests.of(text("report.yaml")).container("neuron-report");

        // then
        assertThat(shards.getVolumeMounts()).containsAll(report.getVolumeMounts());
        assertThat(shards.getEnv()).contains(report.getEnv().get(0));
        assertThat(report.getEnv().get(0).getName()).isEqualTo("RESULTS");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                // a field that is missing from the schema
                PLUGIN
                        + " | completionMode: | completionsMode: | The field `completionsMode` in the JSON string is not defined",
                PLUGIN
                        + " | mountPath: /results | mountpath: /results | The field `mountpath` in the JSON string is not defined",
                PLUGIN + " | onExitCodes: | onExitcodes: | The field `onExitcodes` in the JSON string is not defined",
                DRA
                        + " | matchAttribute: | matchAttributes: | The field `matchAttributes` in the JSON string is not defined",
                "results.yaml | storageClassName | storageClass | The field `storageClass` in the JSON string is not defined",
                // a missing required field
                PLUGIN + " | name: RESULTS | value: /elsewhere | duplicate key value",
                PLUGIN + " | - name: NEURON_TEST_SHARD | - valueFrom: {} | The required field `name` is not found",
                PLUGIN + " | operator: In |  | The required field `operator` is not found",
                PLUGIN + " | claimName: neuron-results | readOnly: true | The required field `claimName` is not found",
                DRA + " | deviceClassName: neuron.aws.com | | The required field `deviceClassName` is not found",
                DRA + " | driver: neuron.aws.com | | The required field `driver` is not found",
                // another type, or none
                PLUGIN + " | completions: 8 | completions: \"8\" | $.spec.completions is a STRING, expected a NUMBER",
                PLUGIN + " | completions: 8 | completions: 2.5 | 2.5",
                PLUGIN + " | value: auto/8 | value: 8 | .env[2].value is a NUMBER, expected a STRING",
                PLUGIN + " | value: real | value: yes | .env[1].value is a BOOLEAN, expected a STRING",
                PLUGIN + " | value: real | value: | .env[1].value is a NULL, expected a STRING",
                PLUGIN + " | command: [\"sh\", \"-c\"] | command: sh -c | Expected the field `command` to be an array",
                DRA + " | count: 4 | count: four | $.spec.spec.devices.requests[0].exactly.count is a STRING",
                "results.yaml | storage: 10Gi | storage: ten | Unable to parse numeric part of quantity",
                // a job of the MPI operator
                HOSTS
                        + " | launcherCreationPolicy | launcherPolicy | The field `launcherPolicy` of $.spec is not defined",
                HOSTS
                        + " | launcherCreationPolicy: WaitForWorkersReady | launcherCreationPolicy: Wait | expected one of [AtStartup, WaitForWorkersReady]",
                HOSTS + " | cleanPodPolicy: All | cleanPodPolicy: true | expected one of [All, Running, None]",
                HOSTS + " | backoffLimit: 0 | backoffLimit: \"0\" | $.spec.runPolicy.backoffLimit is",
                HOSTS + " | replicas: 2 | replicas: 2.5 | $.spec.mpiReplicaSpecs.Worker.replicas is 2.5",
                HOSTS + " | Worker: | Workers: | The field `Workers` of $.spec.mpiReplicaSpecs is not defined",
                HOSTS + " | Launcher: | Master: | The field `Master` of $.spec.mpiReplicaSpecs is not defined",
                HOSTS + " | mountPath: | mountpath: | The field `mountpath` in the JSON string is not defined",
                HOSTS + " | value: real | value: yes | is a BOOLEAN, expected a STRING",
                HOSTS + " | kubeflow.org/v2beta1 | kubeflow.org/v1 | The kind kubeflow.org/v1 MPIJob is none of",
                // another API, or none
                PLUGIN + " | kind: Job | | The kind batch/v1 unknown is none of",
                PLUGIN + " | apiVersion: batch/v1 | apiVersion: batch/v2 | The kind batch/v2 Job is none of",
                DRA + " | resource.k8s.io/v1 | resource.k8s.io/v1beta1 | v1beta1 ResourceClaimTemplate is none of",
            })
    void mistakeAgainstTheSchemaIsRefused(String name, String right, String wrong, String message) throws IOException {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KubernetesManifests.of(mistaken(name, right, wrong)))
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                PLUGIN + " | name: neuron-tests | name: Neuron_tests | \"Neuron_tests\" is no name of an object",
                PLUGIN + " | restartPolicy: Never | restartPolicy: OnFailure | restartPolicy is OnFailure",
                PLUGIN + " | restartPolicy: Never | | restartPolicy is null",
                PLUGIN + " | completionMode: Indexed | | completionMode is null, but only the pods of an Indexed Job",
                PLUGIN + " | completionMode: Indexed | | backoffLimitPerIndex needs completionMode Indexed",
                PLUGIN
                        + " | completions: 8 | completions: 9 | NEURON_TEST_SHARD is [auto/8], completions is 9: expected auto, / and the same number",
                PLUGIN + " | completions: 8 | | completionMode is Indexed, but completions is not there",
                PLUGIN + " | backoffLimitPerIndex: 1 | backoffLimitPerIndex: 0 | backoffLimitPerIndex is 0",
                PLUGIN + " | maxFailedIndexes: 8 | maxFailedIndexes: 1 | maxFailedIndexes is 1",
                PLUGIN + " | action: FailIndex | action: FailIndexes | the action \"FailIndexes\" is none of",
                PLUGIN + " | operator: In | operator: Is | the operator \"Is\" is none of",
                PLUGIN + " | values: [1, 2] | values: [2, 1] | the exit codes [2, 1] have to be in order",
                PLUGIN + " | containerName: tests | containerName: test | containerName \"test\" is none of [tests]",
                PLUGIN + " | mountPath: /leases | mountPath: leases | the paths [/results, leases] have to be absolute",
                PLUGIN + " | - name: leases | - name: lease | the mounted volume \"lease\" is none of",
                PLUGIN
                        + " | claimName: neuron-results | claimName: results | claimName \"results\" is none of [neuron-results]",
                PLUGIN + " | type: DirectoryOrCreate | type: Folder | the type of a hostPath \"Folder\" is none of",
                PLUGIN
                        + " | path: /run/neuron-test | path: /var/tmp/neuron-test | the hostPath /var/tmp/neuron-test outlives a reboot",
                PLUGIN + " | image: my-registry/my-tests:latest | | the container tests has no image",
                PLUGIN
                        + " | name: NEURON_TEST_SHARD | name: RESULTS | the variables [RESULTS, NEURON_TEST_PLATFORM, RESULTS",
                PLUGIN
                        + " | aws.amazon.com/neuron: 2 | aws.amazon.com/neurons: 2 | the resource \"aws.amazon.com/neurons\"",
                PLUGIN + " | limits: | requests: | the tests have no device",
                DRA + " | - name: neurons | - name: neuron | a request \"neurons\" is none of [neuron]",
                DRA
                        + " | resourceClaimTemplateName: four-connected-lnc-1 | resourceClaimTemplateName: four | resourceClaimTemplateName \"four\" is none of [four-connected-lnc-1]",
                DRA
                        + " | deviceClassName: neuron.aws.com | deviceClassName: neuron | deviceClassName \"neuron\" is none of",
                DRA + " | count: 4 | count: 5 | count \"5\" is none of",
                DRA + " | count: 4 | count: 8 | matchAttribute \"resource.aws.com/devicegroup4_id\" is none of",
                DRA + " | driver: neuron.aws.com | driver: gpu.example.com | the driver \"gpu.example.com\" is none of",
                DRA + " | logicalNeuronCore: 1 | lnc: 1 | the configuration",
                HOSTS + " | name: neuron-tests-on-hosts | name: On_hosts | \"On_hosts\" is no name of an object",
                HOSTS + " | aws.amazon.com/neuron: 2 | cpu: 2 | the resource \"cpu\" is none of",
                HOSTS + " | limits: | requests: | the workers have no device",
                HOSTS
                        + " | workingDir: /tests | resources: {limits: {aws.amazon.com/neuron: 1}} | the launcher needs no device",
                HOSTS + " | replicas: 2 | replicas: 1 | there are 1 workers, expected several",
                HOSTS + " | WaitForWorkersReady | AtStartup | the launcher has to wait",
                HOSTS + " | readinessProbe: | livenessProbe: | a worker without readinessProbe",
                HOSTS + " | backoffLimit: 0 | backoffLimit: 3 | backoffLimit has to be 0",
                HOSTS + " | my-tests:latest | my-tests:1 | but the jar has the same path on all hosts",
                HOSTS + " | claimName: neuron-results | claimName: results | claimName \"results\" is none of",
                HOSTS + " | path: /run/neuron-test | path: /var/tmp/a | the hostPath /var/tmp/a outlives a reboot",
                "results.yaml | ReadWriteMany | ReadWriteOnce | accessModes is [ReadWriteOnce]",
                "results.yaml | storage: 10Gi | memory: 10Gi | does not say how much storage it wants",
                "report.yaml | name: TESTS_ON_HARDWARE | name: NEURON_TEST_PLATFORM | the tests have no device",
            })
    void mistakeUnseenByTheSchemaIsFound(String name, String right, String wrong, String problem) throws IOException {
        // when
        KubernetesManifests manifests = name.equals("results.yaml")
                ? KubernetesManifests.of(mistaken(name, right, wrong))
                : KubernetesManifests.of(mistaken(name, right, wrong), text("results.yaml"));

        // then
        assertThat(manifests.problems()).anySatisfy(each -> assertThat(each).contains(problem));
    }

    /** Returns the manifest with the first occurrence of the right words replaced. */
    private static String mistaken(String name, String right, String wrong) throws IOException {
        String text = text(name);
        int at = text.indexOf(right);
        assertThat(at).as("%s has %s", name, right).isNotNegative();
        return text.substring(0, at) + (wrong == null ? "" : wrong) + text.substring(at + right.length());
    }
}
