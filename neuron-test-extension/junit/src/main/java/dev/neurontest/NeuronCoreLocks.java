package dev.neurontest;

import dev.neurontest.internal.plan.RequestedCores;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/**
 * A provider of JUnit resource locks for tests that share cores under parallel execution. A class that leases cores for all its tests runs
 * alone. Tests that share the cores of the session run one after the other. If a {@code @BeforeAll} or {@code @AfterAll} method takes cores
 * of the session, all tests of its class are treated as one such test.
 *
 * <p>Such a class holds its cores while its tests wait for a thread. In a thread pool of fixed size, other tests could occupy all threads
 * while they wait for these cores, which would be a deadlock. {@link NeuronTest} includes these locks. A class that only registers the
 * extension with {@code @RegisterExtension} must declare them itself: {@code @ResourceLock(providers = NeuronCoreLocks.class)}.
 *
 * <p>{@code @NeuronTest} on a class locks the class as a whole, shared with other such classes. Its tests still run in parallel. They run
 * one after the other if one of them needs exclusive access to a resource, such as the cores of the session.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NeuronCoreLocks implements ResourceLocksProvider {

    static final String KEY = "dev.neurontest.cores";
    private static final Set<Lock> ALONE = Set.of(new Lock(KEY, ResourceAccessMode.READ_WRITE));
    private static final Lock TOGETHER = new Lock(KEY, ResourceAccessMode.READ);
    private static final Lock SESSION = new Lock("dev.neurontest.session", ResourceAccessMode.READ_WRITE);
    private static final Set<Lock> SHARING = Set.of(TOGETHER, SESSION);

    /** Creates the provider; called by JUnit. */
    public NeuronCoreLocks() {}

    @Override
    public Set<Lock> provideForClass(Class<?> testClass) {
        try {
            if (!RequestedCores.ofClass(testClass, false).isEmpty()) {
                return ALONE;
            }
            return RequestedCores.ofSession(testClass, false).isEmpty() ? Set.of() : SHARING;
        } catch (RuntimeException mistake) {
            // Reported when the class begins; an exception at this point would end the run of all classes.
            return ALONE;
        }
    }

    @Override
    public Set<Lock> provideForNestedClass(List<Class<?>> enclosingInstanceTypes, Class<?> testClass) {
        return provideForClass(testClass);
    }

    @Override
    public Set<Lock> provideForMethod(List<Class<?>> enclosingInstanceTypes, Class<?> testClass, Method testMethod) {
        try {
            List<Class<?>> testClasses = new ArrayList<>(enclosingInstanceTypes);
            testClasses.add(testClass);
            return RequestedCores.ofSession(testClasses, testMethod, false).isEmpty() ? Set.of(TOGETHER) : SHARING;
        } catch (RuntimeException mistake) {
            // Reported when the test begins.
            return Set.of(TOGETHER);
        }
    }
}
