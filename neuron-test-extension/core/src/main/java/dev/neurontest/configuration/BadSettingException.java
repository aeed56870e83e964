package dev.neurontest.configuration;

import org.apiguardian.api.API;

/** A setting whose value cannot be understood. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class BadSettingException extends RuntimeException {

    private static final long serialVersionUID = 1;

    BadSettingException(Setting<?> setting, String text, Origin origin, String writtenAs, String problem) {
        super("%s: %s%s Expected %s. Correct it, or %s."
                .formatted(
                        written(setting, text, origin, writtenAs),
                        problem,
                        problem.endsWith("?") ? "" : ".",
                        setting.expected(),
                        origin == Origin.OPTION
                                ? "leave it away: then the setting %s says it (default: %s)"
                                        .formatted(setting.name(), setting.byDefault())
                                : "remove it for the default: " + setting.byDefault()));
    }

    private static String written(Setting<?> setting, String text, Origin origin, String writtenAs) {
        return origin == Origin.OPTION
                ? "%s is \"%s\"".formatted(writtenAs, text)
                : "%s is \"%s\" (%s)".formatted(setting.name(), text, origin.of(writtenAs));
    }
}
