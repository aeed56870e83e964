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
 * What JUnit looks for tests once. It gives a filter no configuration parameters, so that what listens to the discovery leaves them here
 * for the filter, on the thread that discovers.
 */
final class ShardDiscovery {

    /** Asked before any setting is looked at: most JVMs have no shard. */
    static final String PROPERTY = "neuron.test.shard";

    private static final String VARIABLE = "NEURON_TEST_SHARD";

    private static final ThreadLocal<@Nullable ShardDiscovery> CURRENT = new ThreadLocal<>();

    /** A folder does not change while its tests run. */
    private static final Map<Path, String> CODES = new ConcurrentHashMap<>();

    private final @Nullable Sharding sharding;
    private final Set<String> codes = new LinkedHashSet<>();
    private boolean timed;

    private ShardDiscovery(@Nullable Sharding sharding) {
        this.sharding = sharding;
    }

    /** One that leaves out nothing where no shard is set. */
    static ShardDiscovery of(Function<String, Optional<String>> parameters) {
        return isAskedFor(parameters)
                ? of(Sharding.of(Settings.of(parameters), System.getenv()))
                : new ShardDiscovery(null);
    }

    static ShardDiscovery of(Optional<Sharding> sharding) {
        return new ShardDiscovery(sharding.orElse(null));
    }

    /** Whether there is a shard at all; and not in a JVM of Maven, which only lists classes for its forks. */
    static boolean isAskedFor(Function<String, Optional<String>> parameters) {
        boolean asked = parameters.apply(PROPERTY).isPresent()
                || System.getProperty(PROPERTY) != null
                || System.getenv(VARIABLE) != null;
        return asked && !onlyLists();
    }

    /**
     * Surefire looks for tests in Maven's JVM before it starts several forks, which then leave out what is not theirs. A fork that
     * gets no class is not started, and the report would miss its shard. Where tests run in Maven's JVM, Surefire says their class
     * path.
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

    /** Whole classes, with those inside; what has no class, by what stands directly below its engine. */
    boolean isHere(TestDescriptor descriptor) {
        Sharding known = sharding;
        if (known == null || hasEngines(descriptor)) {
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
            timed |= known.plan().isTimed(name);
            code(known, unit).ifPresent(codes::add);
        }
        return known.plan().shardOf(name) == known.shard().index();
    }

    private static boolean isEngine(TestDescriptor descriptor) {
        return descriptor.getUniqueId().getLastSegment().getType().equals("engine");
    }

    /** A suite of JUnit has engines inside, whose classes count. */
    private static boolean hasEngines(TestDescriptor descriptor) {
        return descriptor.getChildren().stream().anyMatch(ShardDiscovery::isEngine);
    }

    private static String name(TestDescriptor unit) {
        TestSource source = unit.getSource().orElse(null);
        if (source instanceof ClassSource its) {
            return TestClassName.outermost(its.getClassName());
        }
        return source instanceof MethodSource its
                ? TestClassName.outermost(its.getClassName())
                : unit.getUniqueId().toString();
    }

    private static Optional<String> code(Sharding known, TestDescriptor unit) {
        if (known.code().isPresent()) {
            return known.code();
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

    /** Whether this JVM runs one shard. */
    boolean isSharded() {
        return sharding != null;
    }

    /** Writes down what is known of the shard, also where no test is in it: a report looks for all of them. */
    void tell(JvmSession session) {
        Sharding known = sharding;
        if (known != null) {
            (codes.isEmpty() ? Set.of("") : codes)
                    .forEach(code -> session.sharded(
                            new RunEvent.Sharded(
                                    known.shard().index(),
                                    known.shard().count(),
                                    known.timings().hash(),
                                    known.attempt().job(),
                                    known.attempt().restarts(),
                                    code,
                                    timed),
                            known.notices()));
        }
    }
}
