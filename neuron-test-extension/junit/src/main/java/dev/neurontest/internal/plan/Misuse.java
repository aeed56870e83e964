package dev.neurontest.internal.plan;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** Exceptions for mistakes in the code of a test. Control characters and CI commands in their messages are shown as text. */
@API(status = API.Status.INTERNAL)
public final class Misuse {

    private Misuse() {}

    public static ExtensionConfigurationException of(String message) {
        return new ExtensionConfigurationException(VisibleText.of(message));
    }

    public static ExtensionConfigurationException of(String message, Throwable cause) {
        return new ExtensionConfigurationException(VisibleText.of(message), cause);
    }
}
