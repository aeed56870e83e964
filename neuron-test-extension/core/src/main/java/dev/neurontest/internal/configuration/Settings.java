package dev.neurontest.internal.configuration;

import dev.neurontest.internal.text.NearestName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The values of all settings. Each value is read from the JUnit configuration parameter, the system property or the environment
 * variable of its name, in this order. A blank value counts as missing. Settings are immutable; later changes of the sources have
 * no effect.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Settings {

    private static final String PROPERTY_PREFIX = "neuron.test.";
    private static final String VARIABLE_PREFIX = "NEURON_TEST_";

    /** The prefix of a setting, also in the wrong case or with other separators. */
    private static final Pattern LIKE_A_SETTING = Pattern.compile("neuron[._-]?test[._-]", Pattern.CASE_INSENSITIVE);

    /** The variable by which a JVM finds the processes that it started, such as the JVM of {@code neuron-test run}. */
    private static final String OWN_VARIABLE = "NEURONTEST_PROCESS_TREE";

    private static final int MOST_TYPOS = 2;

    private final Map<Setting<?>, Given> given = new HashMap<>();
    private final Map<Setting<?>, ConfiguredValue<?>> values = new ConcurrentHashMap<>();
    private final Path workingDirectory;
    private final List<String> warnings;

    private Settings(
            Function<String, Optional<String>> junitParameters,
            Set<String> parameterNames,
            Map<Setting<?>, String> options,
            Map<String, String> systemProperties,
            Map<String, String> environment,
            Path workingDirectory) {
        this.workingDirectory = workingDirectory;
        // JUnit's names include those of system properties.
        Set<String> parameters = new HashSet<>(parameterNames);
        parameters.removeAll(systemProperties.keySet());
        this.warnings = new ArrayList<>();
        warn("configuration parameter", PROPERTY_PREFIX, parameters);
        warn("system property", PROPERTY_PREFIX, systemProperties.keySet());
        warn("environment variable", VARIABLE_PREFIX, environment.keySet());
        for (Setting<?> setting : Setting.all()) {
            @Nullable
            String parameter = present(junitParameters.apply(setting.name()).orElse(null));
            @Nullable String property = present(systemProperties.get(setting.name()));
            @Nullable String option = options.get(setting);
            @Nullable String variable = present(environment.get(setting.environmentVariable()));
            // JUnit's lookup also returns system properties, so a parameter that equals the property is the property.
            if (parameter != null && option != null) {
                given.put(setting, new Given(parameter, Origin.OPTION, option));
            } else if (parameter != null && !parameter.equals(property)) {
                given.put(setting, new Given(parameter, Origin.JUNIT_PARAMETER, setting.name()));
            } else if (property != null) {
                given.put(setting, new Given(property, Origin.SYSTEM_PROPERTY, setting.name()));
            } else if (variable != null) {
                given.put(setting, new Given(variable, Origin.ENVIRONMENT_VARIABLE, setting.environmentVariable()));
            }
        }
    }

    /**
     * Creates the settings of this JVM. An invalid value throws only when it is read.
     *
     * @param junitParameters the lookup of JUnit configuration parameters
     */
    public static Settings of(Function<String, Optional<String>> junitParameters) {
        return of(junitParameters, Set.of());
    }

    /**
     * Creates the settings of this JVM, with warnings about configuration parameters that resemble settings. An invalid value
     * throws only when it is read.
     *
     * @param junitParameters the lookup of JUnit configuration parameters
     * @param parameterNames the names of all configuration parameters, including those in {@code junit-platform.properties}
     */
    public static Settings of(Function<String, Optional<String>> junitParameters, Set<String> parameterNames) {
        return ofThisJvm(junitParameters, parameterNames, Map.of());
    }

    /**
     * Creates the settings of a command, with warnings about parameters that resemble settings. An invalid value throws only when
     * it is read.
     *
     * @param parameters the texts of the user, by name of the setting
     * @param options the names of command options for messages, such as {@code --platform}, by setting
     */
    public static Settings of(Map<String, String> parameters, Map<Setting<?>, String> options) {
        return ofThisJvm(name -> Optional.ofNullable(parameters.get(name)), parameters.keySet(), options);
    }

    private static Settings ofThisJvm(
            Function<String, Optional<String>> parameters,
            Set<String> parameterNames,
            Map<Setting<?>, String> options) {
        Map<String, String> properties = new HashMap<>();
        for (String name : System.getProperties().stringPropertyNames()) {
            properties.put(name, System.getProperty(name, ""));
        }
        return new Settings(parameters, parameterNames, options, properties, System.getenv(), Path.of(""));
    }

    /**
     * Checks whether a CI server runs this process.
     *
     * @return true if {@code CI} is set, and not to {@code false} or {@code 0}
     */
    public static boolean isCi(Map<String, String> environment) {
        String ci = environment.getOrDefault("CI", "").strip();
        return !ci.isEmpty() && !ci.equals("0") && !ci.equalsIgnoreCase("false");
    }

    static Settings of(
            Map<String, String> parameters,
            Map<String, String> systemProperties,
            Map<String, String> environment,
            Path workingDirectory) {
        return new Settings(
                name -> Optional.ofNullable(parameters.get(name)),
                parameters.keySet(),
                Map.of(),
                systemProperties,
                environment,
                workingDirectory);
    }

    /**
     * Returns the value of a setting and its origin.
     *
     * @return the first given value, or the default
     * @throws BadSettingException if the given text is invalid
     */
    @SuppressWarnings("unchecked") // Each setting has the type of its value.
    public <T> ConfiguredValue<T> get(Setting<T> setting) {
        ConfiguredValue<?> value = values.get(setting);
        if (value == null) {
            Given first = given.get(setting);
            value = first == null
                    ? setting.parse(setting.defaultText(this), Origin.DEFAULT, "")
                    : setting.parse(first.text, first.origin, first.name);
            values.put(setting, value);
        }
        return (ConfiguredValue<T>) value;
    }

    /**
     * Returns the value of a setting.
     *
     * @return the first given value, or the default
     * @throws BadSettingException if the given text is invalid
     */
    public <T> T value(Setting<T> setting) {
        return get(setting).value();
    }

    /**
     * Returns the settings that the results of a test depend on and that have a value in any source.
     *
     * @return without defaults, in the order of {@link Setting#all()}
     * @throws BadSettingException if a given text is invalid
     */
    public List<ConfiguredValue<?>> given() {
        List<ConfiguredValue<?>> configured = new ArrayList<>();
        for (Setting<?> setting : Setting.all()) {
            if (given.containsKey(setting) && !setting.isOfWholeRun()) {
                configured.add(get(setting));
            }
        }
        return configured;
    }

    /**
     * Parses all given values. Defaults are parsed when they are read.
     *
     * @throws BadSettingException if a given text is invalid
     */
    public void parseGiven() {
        for (Setting<?> setting : Setting.all()) {
            if (given.containsKey(setting)) {
                get(setting);
            }
        }
    }

    /**
     * Returns warnings about configuration parameters, system properties and environment variables that resemble settings.
     *
     * @return a sentence for each, with the nearest existing name
     */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    /**
     * Returns a listing of all settings for people: value, description, accepted texts and default, followed by the warnings.
     *
     * @return lines of text, each with a line end
     */
    public String toText() {
        StringBuilder text = new StringBuilder();
        for (Setting<?> setting : Setting.all()) {
            text.append("%s = %s\n    %s\n    accepts: %s\n    default: %s\n"
                    .formatted(
                            setting.name(),
                            shown(setting),
                            setting.meaning(),
                            setting.expected(),
                            setting.byDefault()));
        }
        warnings.forEach(warning -> text.append("warning: ").append(warning).append('\n'));
        return text.toString();
    }

    Path workingDirectory() {
        return workingDirectory;
    }

    private String shown(Setting<?> setting) {
        try {
            return get(setting).toString();
        } catch (BadSettingException e) {
            return "? " + e.getMessage();
        }
    }

    /** Returns a text without blanks around it; null for a blank text. */
    private static @Nullable String present(@Nullable String text) {
        return text == null || text.isBlank() ? null : text.strip();
    }

    private void warn(String what, String prefix, Set<String> names) {
        Set<String> suspects = new TreeSet<>();
        for (String name : names) {
            if (LIKE_A_SETTING.matcher(name).lookingAt() && !name.equals(OWN_VARIABLE)) {
                suspects.add(name);
            }
        }
        if (suspects.isEmpty()) {
            return;
        }
        Map<String, String> known = new LinkedHashMap<>();
        for (Setting<?> setting : Setting.all()) {
            String name = prefix.equals(VARIABLE_PREFIX) ? setting.environmentVariable() : setting.name();
            suspects.remove(name);
            known.put(plain(name.substring(prefix.length())), name.substring(prefix.length()));
        }
        for (String name : suspects) {
            warnings.add("%s %s is not a setting and has no effect; %s"
                    .formatted(
                            what,
                            name,
                            nearest(plain(LIKE_A_SETTING.matcher(name).replaceFirst("")), known.keySet())
                                    .map(nearest -> "did you mean " + prefix + known.get(nearest) + "?")
                                    .orElse("the settings are %s followed by %s"
                                            .formatted(prefix, String.join(", ", known.values())))));
        }
    }

    /**
     * Returns the nearest known name. If that differs by more than typing errors, returns a shorter known name at the beginning
     * or end of the text. All kinds of undecided expectations map to one setting.
     */
    private static Optional<String> nearest(String written, Set<String> known) {
        for (UndecidedKind kind : UndecidedKind.values()) {
            if (written.endsWith("." + plain(EnumText.of(kind)))) {
                return Optional.of("undecided");
            }
        }
        Optional<String> shorter = known.stream()
                .filter(name -> written.startsWith(name + ".") || written.endsWith("." + name))
                .max(Comparator.comparingInt(String::length));
        return NearestName.of(written, known)
                .filter(name -> shorter.isEmpty() || NearestName.edits(written, name) <= MOST_TYPOS)
                .or(() -> shorter);
    }

    /** Returns a name in lower case with dots, to compare names of properties and environment variables. */
    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[_-]", ".");
    }

    private record Given(String text, Origin origin, String name) {}
}
