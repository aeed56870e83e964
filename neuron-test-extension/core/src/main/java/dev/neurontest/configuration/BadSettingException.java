package dev.neurontest.configuration;

import org.apiguardian.api.API;

/** A setting whose value cannot be understood. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class BadSettingException extends RuntimeException {

    private static final long serialVersionUID = 1;

    BadSettingException(Setting<?> setting, String text, Origin origin, String problem) {
        super("%s is \"%s\" (%s): %s%s Expected %s. Correct it, or remove it for the default: %s."
                .formatted(
                        setting.name(),
                        text,
                        origin.of(setting),
                        problem,
                        problem.endsWith("?") ? "" : ".",
                        setting.expected(),
                        setting.byDefault()));
    }
}
