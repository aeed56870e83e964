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
 * Lets a class that leases cores for all its tests run alone under parallel execution, and tests that share the cores of
 * the session one after the other, with all tests of a class whose {@code @BeforeAll} or {@code @AfterAll} takes such cores as one.
 *
 * <p>Such a class holds its cores while its tests wait for a thread. On a pool of fixed size other tests could take all
 * threads to wait for those very cores, and nothing would move any more. {@link NeuronTest} brings these locks along; a
 * class that only registers the extension with {@code @RegisterExtension} names them itself:
 * {@code @ResourceLock(providers = NeuronCoreLocks.class)}.
 *
 * <p>{@code @NeuronTest} on a class locks the class as a whole, shared with other such classes: its tests still run in
 * parallel, but one after the other when one of them needs a resource for itself, be it the cores of the session.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NeuronCoreLocks implements ResourceLocksProvider {

    static final String KEY = "dev.neurontest.cores";
    private static final Set<Lock> ALONE = Set.of(new Lock(KEY, ResourceAccessMode.READ_WRITE));
    private static final Lock TOGETHER = new Lock(KEY, ResourceAccessMode.READ);
    private static final Lock SESSION = new Lock("dev.neurontest.session", ResourceAccessMode.READ_WRITE);
    private static final Set<Lock> SHARING = Set.of(TOGETHER, SESSION);

    /** JUnit makes it. */
    public NeuronCoreLocks() {}

    @Override
    public Set<Lock> provideForClass(Class<?> testClass) {
        try {
            if (!RequestedCores.ofClass(testClass, false).isEmpty()) {
                return ALONE;
            }
            return RequestedCores.ofSession(testClass, false).isEmpty() ? Set.of() : SHARING;
        } catch (RuntimeException mistake) {
            // Said when the class begins; here it would end the run of all classes.
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
            // Said when the test begins.
            return Set.of(TOGETHER);
        }
    }
}
