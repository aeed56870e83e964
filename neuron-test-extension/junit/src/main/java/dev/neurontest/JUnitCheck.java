package dev.neurontest;

import dev.neurontest.internal.lifecycle.OldJUnit;
import org.apiguardian.api.API;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * Fails a test with a message that helps when JUnit is too old. JUnit makes extensions in the order of their annotations, so
 * this one fails before JUnit asks for one that it cannot load.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
final class JUnitCheck implements Extension {

    /**
     * JUnit makes it.
     *
     * @throws ExtensionConfigurationException when JUnit is too old
     */
    JUnitCheck() {
        OldJUnit.refuse();
    }
}
