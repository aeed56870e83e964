package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/** The origins of the value of a setting, in order of precedence: the first origin with a value wins. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Origin {
    /** An option of the command, such as {@code --platform}. */
    OPTION("from "),
    /** A JUnit configuration parameter: of the launcher, or in {@code junit-platform.properties}. */
    JUNIT_PARAMETER("from JUnit configuration parameter "),
    /** A system property of this JVM. */
    SYSTEM_PROPERTY("from system property "),
    /** An environment variable: the setting's name in capitals, with {@code _} for {@code .}. */
    ENVIRONMENT_VARIABLE("from environment variable "),
    /** The default, if the setting has no value anywhere. */
    DEFAULT("default");

    private final String words;

    Origin(String words) {
        this.words = words;
    }

    /** Returns the origin for messages, such as {@code from system property neuron.test.platform}. */
    String of(String name) {
        return words + name;
    }
}
