package dev.neurontest.internal.configuration;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;

/** Thrown when the value of a setting cannot be parsed or cannot be applied here. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class BadSettingException extends RuntimeException {

    private static final long serialVersionUID = 1;

    BadSettingException(Setting<?> setting, String text, Origin origin, String writtenAs, String problem) {
        super(VisibleText.of("%s is \"%s\"%s: %s%s Expected %s. Correct it, or %s."
                .formatted(
                        origin == Origin.OPTION ? writtenAs : setting.name(),
                        text,
                        origin == Origin.OPTION ? "" : " (" + origin.of(writtenAs) + ")",
                        problem,
                        problem.endsWith("?") ? "" : ".",
                        setting.expected(),
                        origin == Origin.OPTION
                                ? "remove it to use the setting %s (default: %s)"
                                        .formatted(setting.name(), setting.byDefault())
                                : "remove it for the default: " + setting.byDefault())));
    }
}
