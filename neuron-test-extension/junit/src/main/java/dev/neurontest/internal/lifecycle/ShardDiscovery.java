package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.shard.Sharding;
import dev.neurontest.internal.shard.SuiteCode;
import dev.neurontest.internal.shard.TestClassName;
import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.platform.commons.JUnitException;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;

/**
 * State of one test discovery by JUnit. JUnit passes no configuration parameters to a filter. The discovery listener therefore stores them
 * here for the filter, on the thread that runs the discovery.
 */
final class ShardDiscovery {

    /** Name of the property that is checked before any setting is loaded, because most JVMs have no shard. */
    static final String PROPERTY = "neuron.test.shard";

    private static final String VARIABLE = "NEURON_TEST_SHARD";

    private static final ThreadLocal<@Nullable ShardDiscovery> CURRENT = new ThreadLocal<>();

    /** Cached code hashes; a folder does not change while its tests run. */
    private static final Map<Path, String> CODES = new ConcurrentHashMap<>();

    private final @Nullable Sharding sharding;
    private final Set<String> codes = new LinkedHashSet<>();
    private boolean timed;

    private ShardDiscovery(@Nullable Sharding sharding) {
        this.sharding = sharding;
    }

    /** Creates a discovery. It excludes nothing if no shard is set. */
    static ShardDiscovery of(Function<String, Optional<String>> parameters) {
        return isAskedFor(parameters)
                ? of(Sharding.of(Settings.of(parameters), System.getenv()))
                : new ShardDiscovery(null);
    }

    static ShardDiscovery of(Optional<Sharding> sharding) {
        return new ShardDiscovery(sharding.orElse(null));
    }

    /** Returns whether a shard is set. It is ignored in a JVM of Maven that only lists classes for its forks. */
    static boolean isAskedFor(Function<String, Optional<String>> parameters) {
        boolean requested = parameters.apply(PROPERTY).isPresent()
                || System.getProperty(PROPERTY) != null
                || System.getenv(VARIABLE) != null;
        return requested && !onlyLists();
    }

    /**
     * Returns whether Surefire only lists tests here. It does so in Maven's JVM before it starts several forks, and each fork then applies
     * the filter. A fork without classes would not be started, and its shard would be missing in the report. If tests run in Maven's JVM,
     * Surefire sets the property with their class path.
     */
    private static boolean onlyLists() {
        return System.getProperty("maven.home") != null
                && System.getProperty("surefire.test.class.path") == null
                && ShardDiscovery.class.getClassLoader() != ClassLoader.getSystemClassLoader();
    }

    static @Nullable ShardDiscovery current() {
        return CURRENT.get();
    }

    static void begin(ShardDiscovery discovery) {
        CURRENT.set(discovery);
    }

    static void end() {
        CURRENT.remove();
    }

    /**
     * Returns whether a test belongs to this shard. The unit is a top-level class with its nested classes. Tests without a class belong to
     * the direct child of their engine.
     */
    boolean isHere(TestDescriptor descriptor) {
        Sharding current = sharding;
        if (current == null || hasEngines(descriptor)) {
            return true;
        }
        TestDescriptor unit = null;
        for (TestDescriptor each = descriptor;
                each != null && !isEngine(each);
                each = each.getParent().orElse(null)) {
            unit = each;
        }
        if (unit == null) {
            return true;
        }
        String name = name(unit);
        if (unit == descriptor) {
            timed |= current.plan().isTimed(name);
            code(current, unit).ifPresent(codes::add);
        }
        return current.plan().shardOf(name) == current.shard().index();
    }

    private static boolean isEngine(TestDescriptor descriptor) {
        return descriptor.getUniqueId().getLastSegment().getType().equals("engine");
    }

    /** Returns whether the descriptor is a JUnit suite. A suite contains engines, and their classes are the units. */
    private static boolean hasEngines(TestDescriptor descriptor) {
        return descriptor.getChildren().stream().anyMatch(ShardDiscovery::isEngine);
    }

    private static String name(TestDescriptor unit) {
        TestSource source = unit.getSource().orElse(null);
        if (source instanceof ClassSource classSource) {
            return TestClassName.outermost(classSource.getClassName());
        }
        return source instanceof MethodSource methodSource
                ? TestClassName.outermost(methodSource.getClassName())
                : unit.getUniqueId().toString();
    }

    private static Optional<String> code(Sharding current, TestDescriptor unit) {
        if (current.code().isPresent()) {
            return current.code();
        }
        return unit.getSource()
                .filter(ClassSource.class::isInstance)
                .map(ClassSource.class::cast)
                .flatMap(ShardDiscovery::place)
                .map(place -> CODES.computeIfAbsent(place, SuiteCode::of));
    }

    private static Optional<Path> place(ClassSource source) {
        try {
            CodeSource code = source.getJavaClass().getProtectionDomain().getCodeSource();
            return code == null
                    ? Optional.empty()
                    : Optional.of(Path.of(code.getLocation().toURI()));
        } catch (JUnitException | URISyntaxException | IllegalArgumentException | FileSystemNotFoundException unknown) {
            return Optional.empty();
        }
    }

    /** Returns whether this JVM runs one shard. */
    boolean isSharded() {
        return sharding != null;
    }

    /** Records the shard in the run file, even if it contains no test, because a report expects all shards. */
    void reportTo(JvmSession session) {
        Sharding current = sharding;
        if (current != null) {
            (codes.isEmpty() ? Set.of("") : codes)
                    .forEach(code -> session.sharded(
                            new RunEvent.Sharded(
                                    current.shard().index(),
                                    current.shard().count(),
                                    current.timings().hash(),
                                    current.attempt().job(),
                                    current.attempt().restarts(),
                                    code,
                                    timed),
                            current.notices()));
        }
    }
}
