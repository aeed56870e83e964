package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.plan.Misuse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * A check for test frameworks that load test classes, and this library with them, by a class loader of their own. JUnit's launcher then
 * notifies other classes than those of the test, and its run file, summary and gate would lack the test.
 */
final class SecondClassLoader {

    private static final String QUARKUS = "add this line to src/main/resources/application.properties: "
            + "quarkus.class-loading.parent-first-artifacts="
            + "dev.neurontest:neuron-test-extension,dev.neurontest:neuron-test-core,dev.neurontest:fake-sysfs";

    private static final String OTHERS = "configure the framework that created the second class loader to load"
            + " neuron-test-extension, neuron-test-core and fake-sysfs by its parent";

    private SecondClassLoader() {}

    /** Creates the failure of a test whose extension was loaded by another class loader than the session of the JVM. */
    static ExtensionConfigurationException refuse(@Nullable ClassLoader ofSession) {
        String second = String.valueOf(SecondClassLoader.class.getClassLoader());
        return Misuse.of(
                "Neuron Test is loaded twice in this JVM: by %s for JUnit, and by %s for this test, which therefore does not run. To use one class loader, %s"
                        .formatted(ofSession, second, second.contains("Quarkus") ? QUARKUS : OTHERS));
    }
}
