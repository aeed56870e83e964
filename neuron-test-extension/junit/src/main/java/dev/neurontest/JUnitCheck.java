package dev.neurontest;

import dev.neurontest.internal.lifecycle.OldJUnit;
import org.apiguardian.api.API;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * An extension that fails a test with a helpful message if JUnit is too old. JUnit creates extensions in the order of their annotations.
 * This extension therefore fails before JUnit loads an extension class that it does not support.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
final class JUnitCheck implements Extension {

    /**
     * Creates the extension; called by JUnit.
     *
     * @throws ExtensionConfigurationException if JUnit is too old
     */
    JUnitCheck() {
        OldJUnit.refuse();
    }
}
