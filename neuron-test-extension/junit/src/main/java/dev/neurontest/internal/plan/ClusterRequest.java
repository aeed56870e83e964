package dev.neurontest.internal.plan;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;

import dev.neurontest.Hosts;
import dev.neurontest.cluster.NeuronCluster;
import dev.neurontest.counter.Counters;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.Profiler;
import dev.neurontest.runtime.LoadedModel;
import dev.neurontest.runtime.NeuronRuntime;
import dev.neurontest.workload.Workloads;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The hosts that a test requests with {@code @Hosts}.
 *
 * @param hosts the number of hosts
 * @param coresPerHost the number of logical cores on each; 0 for all
 */
@API(status = API.Status.INTERNAL)
public record ClusterRequest(int hosts, int coresPerHost) {

    /** Returns the request in words, such as {@code 2 hosts with 32 cores each}. */
    public String description() {
        return "%s with %s"
                .formatted(
                        CountText.of(hosts, "host"),
                        coresPerHost == 0
                                ? "all cores"
                                : CountText.of(coresPerHost, "core") + (hosts == 1 ? "" : " each"));
    }

    /** Reads the request of a test; empty without a cluster. */
    static Optional<ClusterRequest> of(List<Parameter> parameters) {
        Optional<ClusterRequest> request = Optional.empty();
        for (Parameter parameter : parameters) {
            if (HostParameter.isPlain(parameter)) {
                continue;
            }
            Optional<ClusterRequest> one = of(parameter);
            if (request.isPresent() && one.isPresent() && !request.equals(one)) {
                throw wrong(
                        parameter,
                        "another parameter of the same test requests %s; a test has one cluster"
                                .formatted(request.get().description()));
            }
            if (request.isEmpty()) {
                request = one;
            }
        }
        if (request.isPresent()) {
            parameters.forEach(ClusterRequest::requireOfSeveralHosts);
        }
        return request;
    }

    /** Refuses a cluster in a class that holds cores of this host, because two such tests could wait for each other. */
    void requireNoCoresAround(Method test, boolean coresAround) {
        if (coresAround) {
            throw Misuse.of(
                    "%s takes a NeuronCluster, but its class holds cores of this host for all its tests. Put it into a class without such cores."
                            .formatted(test));
        }
    }

    /** Refuses clusters of parameters that are resolved once for all tests of a class. */
    static void refuse(List<Parameter> parameters) {
        for (Parameter parameter : parameters) {
            if (isCluster(parameter)) {
                throw wrong(
                        parameter,
                        "a cluster belongs to one test; take it in the test method, in @BeforeEach or in @AfterEach");
            }
        }
    }

    private static boolean isCluster(Parameter parameter) {
        return parameter.getType() == NeuronCluster.class;
    }

    private static Optional<ClusterRequest> of(Parameter parameter) {
        Optional<Hosts> hosts = findAnnotation(parameter, Hosts.class);
        if (hosts.isPresent() != isCluster(parameter)) {
            throw wrong(
                    parameter,
                    hosts.isPresent()
                            ? "@Hosts is for a NeuronCluster"
                            : "no annotation tells the number of hosts; write @Hosts(2) NeuronCluster cluster");
        }
        return hosts.map(requested -> {
            if (requested.value() < 1 || requested.coresPerHost() < 0) {
                throw wrong(
                        parameter, "@Hosts must name at least 1 host, and coresPerHost at least 1 core, or 0 for all");
            }
            return new ClusterRequest(requested.value(), requested.coresPerHost());
        });
    }

    /** Refuses parameters that belong to one host beside a cluster, because a test measures either one host or several. */
    private static void requireOfSeveralHosts(Parameter parameter) {
        boolean ofOneHost = HostParameter.of(parameter)
                        .filter(kind -> kind != HostParameter.FAKES)
                        .isPresent()
                || ofOneHost().contains(parameter.getType());
        if (ofOneHost) {
            throw wrong(
                    parameter,
                    "it belongs to one host, but the test takes a NeuronCluster; use cluster.hosts() and cluster.workloads(), or split the test");
        }
    }

    private static Set<Class<?>> ofOneHost() {
        return Set.of(
                Workloads.class, Counters.class, Profiler.class, Profile.class, NeuronRuntime.class, LoadedModel.class);
    }

    private static RuntimeException wrong(Parameter parameter, String reason) {
        return Misuse.of("Parameter %s of %s: %s.".formatted(parameter, parameter.getDeclaringExecutable(), reason));
    }
}
