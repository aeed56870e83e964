package dev.neurontest.internal.cluster.agent;

import dev.neurontest.internal.cluster.HostEngine;
import dev.neurontest.internal.cluster.HostEngines;
import dev.neurontest.internal.configuration.PlatformChoice;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.platform.Platform;
import dev.neurontest.internal.text.CountText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The hosts of an allocation, each with an agent that starts when a test needs the host first and ends with this object. All methods may be
 * called by several threads.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ClusterHosts implements AutoCloseable {

    /** Maximum time until a host is open. A login shell, a busy scheduler or a cold disk may need long. */
    private static final Duration OPENS_WITHIN = Duration.ofMinutes(2);

    private final Settings settings;
    private final HostEngine engine;
    private final Map<String, String> environment;
    private final BiConsumer<String, HostNews> news;
    private final Map<String, RemoteHost> open = new LinkedHashMap<>();
    private final Map<String, Platform> fakes = new LinkedHashMap<>();

    private ClusterHosts(
            Settings settings, HostEngine engine, Map<String, String> environment, BiConsumer<String, HostNews> news) {
        this.settings = settings;
        this.engine = engine;
        this.environment = environment;
        this.news = news;
    }

    /**
     * Finds the hosts without starting an agent.
     *
     * @param environment the variables of this JVM, also for the launchers of the engine
     * @param news receives the events of lease tables, with the name of their host
     * @throws dev.neurontest.internal.cluster.HostEngineException if the hosts cannot be listed
     */
    public static ClusterHosts of(
            Settings settings, Map<String, String> environment, BiConsumer<String, HostNews> news) {
        return new ClusterHosts(settings, HostEngines.of(settings, environment), Map.copyOf(environment), news);
    }

    /** Returns why a test with that many hosts cannot run; empty if it can. */
    public Optional<String> tooFew(int wanted) {
        if (settings.value(Setting.PLATFORM) instanceof PlatformChoice.Replay) {
            return Optional.of("the test needs %s, but a recording (%s) shows one host"
                    .formatted(CountText.of(wanted, "host"), settings.get(Setting.PLATFORM)));
        }
        return engine.hosts().size() < wanted ? Optional.of(engine.tooFew(wanted)) : Optional.empty();
    }

    /**
     * Returns the first hosts of the allocation, and starts the agents that do not run.
     *
     * @param count at most the number of hosts
     * @return the hosts in the order in which all tests lease their cores: by the name of the machine, then by the name of the host
     * @throws HostLostException if an agent does not start
     * @throws AgentException if a host cannot be opened, or two names are one machine
     */
    public synchronized List<RemoteHost> first(int count) {
        List<String> names = engine.hosts().subList(0, count);
        open.values().removeIf(host -> !host.agent().isOpen());
        start(names.stream().filter(name -> !open.containsKey(name)).toList());
        List<RemoteHost> hosts = new ArrayList<>(names.stream().map(open::get).toList());
        requireDistinct(hosts);
        hosts.sort(Comparator.comparing((RemoteHost host) -> host.agent().machine())
                .thenComparing(RemoteHost::name));
        return List.copyOf(hosts);
    }

    /** Returns the name of the engine that reaches the hosts. */
    public String engine() {
        return engine.name();
    }

    /** Returns the fake hosts of this JVM by name of the host; empty for other hosts. */
    public synchronized Map<String, Platform> fakes() {
        return Map.copyOf(fakes);
    }

    private void start(List<String> names) {
        if (names.isEmpty()) {
            return;
        }
        List<String> words = AgentCommand.words();
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(names.size(), 16));
        try {
            Map<String, CompletableFuture<RemoteHost>> starting = new LinkedHashMap<>();
            names.forEach(name -> {
                Map<String, String> given = given(name);
                starting.put(name, CompletableFuture.supplyAsync(() -> start(name, words, given), threads));
            });
            @Nullable RuntimeException failed = null;
            for (Map.Entry<String, CompletableFuture<RemoteHost>> each : starting.entrySet()) {
                try {
                    open.put(each.getKey(), each.getValue().join());
                } catch (CompletionException cause) {
                    RuntimeException why = cause.getCause() instanceof RuntimeException known ? known : cause;
                    if (failed == null) {
                        failed = why;
                    } else {
                        failed.addSuppressed(why);
                    }
                }
            }
            if (failed != null) {
                throw failed;
            }
        } finally {
            threads.shutdown();
        }
    }

    private RemoteHost start(String name, List<String> words, Map<String, String> given) {
        AgentConnection agent = AgentConnection.start(
                name,
                engine.command(name, words),
                this::ofLauncher,
                given,
                event -> news.accept(name, event),
                OPENS_WITHIN);
        try {
            agent.absence().ifPresent(reason -> {
                throw new NoDevicesException(name, reason);
            });
            return RemoteHost.of(agent, settings);
        } catch (RuntimeException failed) {
            agent.close();
            throw failed;
        }
    }

    private void ofLauncher(Map<String, String> variables) {
        variables.clear();
        variables.putAll(environment);
        engine.clean(variables);
    }

    /** Returns the settings for the agent of a host. What this JVM does not set, the environment of the host decides. */
    private Map<String, String> given(String name) {
        Map<String, String> given = new LinkedHashMap<>();
        settings.given().forEach(value -> given.put(value.setting().name(), value.text()));
        PlatformChoice choice = settings.value(Setting.PLATFORM);
        if (choice instanceof PlatformChoice.Fake && engine.isThisMachine()) {
            Platform fake = fakes.computeIfAbsent(name, started -> Platform.fakeOfSeveral(settings));
            given.put(Setting.PLATFORM.name(), "root:" + fake.root());
        } else if (given.containsKey(Setting.PLATFORM.name())) {
            given.put(Setting.PLATFORM.name(), choice.onEachHost().toString());
        }
        return given;
    }

    /** Refuses two names of one machine: their tests would wait for each other, and all counters would count twice. */
    private static void requireDistinct(List<RemoteHost> hosts) {
        Map<String, RemoteHost> seen = new LinkedHashMap<>();
        for (RemoteHost host : hosts) {
            RemoteHost same = seen.putIfAbsent(host.agent().identity(), host);
            if (same != null) {
                throw new AgentException("%s and %s are the same machine (%s) with the same lease table; name it once"
                        .formatted(same.name(), host.name(), host.agent().machine()));
            }
        }
    }

    /** Ends all agents, which release all that they hold. */
    @Override
    public synchronized void close() {
        List<RemoteHost> hosts = List.copyOf(open.values());
        open.clear();
        hosts.parallelStream().forEach(host -> host.agent().close());
        fakes.values().forEach(Platform::close);
        fakes.clear();
    }
}
