package dev.neurontest;

import dev.neurontest.internal.text.VisibleText;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** Exceptions for mistakes in the code of a test, whose texts are shown as they are written and command nothing in a log. */
final class Misuse {

    private Misuse() {}

    static ExtensionConfigurationException of(String message) {
        return new ExtensionConfigurationException(VisibleText.of(message));
    }

    static ExtensionConfigurationException of(String message, Throwable cause) {
        return new ExtensionConfigurationException(VisibleText.of(message), cause);
    }
}
