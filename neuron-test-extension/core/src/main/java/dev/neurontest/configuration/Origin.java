package dev.neurontest.configuration;

import org.apiguardian.api.API;

/** Where the value of a setting came from, the first that has one wins in this order. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Origin {
    /** A JUnit configuration parameter: of the launcher, or in {@code junit-platform.properties}. */
    JUNIT_PARAMETER {
        @Override
        String of(Setting<?> setting) {
            return "from JUnit configuration parameter " + setting.name();
        }
    },
    /** A system property of this JVM. */
    SYSTEM_PROPERTY {
        @Override
        String of(Setting<?> setting) {
            return "from system property " + setting.name();
        }
    },
    /** An environment variable: the setting's name in capitals, with {@code _} for {@code .}. */
    ENVIRONMENT_VARIABLE {
        @Override
        String of(Setting<?> setting) {
            return "from environment variable " + setting.environmentVariable();
        }
    },
    /** It is not set anywhere. */
    DEFAULT {
        @Override
        String of(Setting<?> setting) {
            return "default";
        }
    };

    abstract String of(Setting<?> setting);
}
