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
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The values of all settings, each taken from the JUnit configuration parameter, the system property or the environment
 * variable of its name, in this order. A blank value counts as not given. Immutable: what changes later is not seen.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Settings {

    private static final String PROPERTY_PREFIX = "neuron.test.";
    private static final String VARIABLE_PREFIX = "NEURON_TEST_";

    /** The beginning of a setting, also in the wrong case or with other signs. */
    private static final Pattern LIKE_A_SETTING = Pattern.compile("neuron[._-]?test[._-]", Pattern.CASE_INSENSITIVE);

    /** The variable by which a JVM finds the processes that it has started, such as the JVM of {@code neuron-test run}. */
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
        warn("configuration parameter", PROPERTY_PREFIX, parameters, Setting::name);
        warn("system property", PROPERTY_PREFIX, systemProperties.keySet(), Setting::name);
        warn("environment variable", VARIABLE_PREFIX, environment.keySet(), Setting::environmentVariable);
        for (Setting<?> setting : Setting.all()) {
            Optional<String> parameter = present(junitParameters.apply(setting.name()));
            Optional<String> property = present(Optional.ofNullable(systemProperties.get(setting.name())));
            Optional<String> option = Optional.ofNullable(options.get(setting));
            // JUnit's look-up falls back to system properties by itself: what equals the property is the property
            option.flatMap(name -> parameter.map(text -> new Given(text, Origin.OPTION, name)))
                    .or(() -> parameter
                            .filter(text -> !parameter.equals(property))
                            .map(text -> new Given(text, Origin.JUNIT_PARAMETER, setting.name())))
                    .or(() -> property.map(text -> new Given(text, Origin.SYSTEM_PROPERTY, setting.name())))
                    .or(() -> present(Optional.ofNullable(environment.get(setting.environmentVariable())))
                            .map(text -> new Given(text, Origin.ENVIRONMENT_VARIABLE, setting.environmentVariable())))
                    .ifPresent(first -> given.put(setting, first));
        }
    }

    /**
     * Takes the settings of this JVM.
     *
     * @param junitParameters looks up a JUnit configuration parameter
     * @return the settings; one that cannot be understood fails when it is asked for
     */
    public static Settings of(Function<String, Optional<String>> junitParameters) {
        return of(junitParameters, Set.of());
    }

    /**
     * Takes the settings of this JVM, and warns of configuration parameters that look like settings and are none.
     *
     * @param junitParameters looks up a JUnit configuration parameter
     * @param parameterNames of all configuration parameters, also of those in {@code junit-platform.properties}
     * @return the settings; one that cannot be understood fails when it is asked for
     */
    public static Settings of(Function<String, Optional<String>> junitParameters, Set<String> parameterNames) {
        return ofThisJvm(junitParameters, parameterNames, Map.of());
    }

    /**
     * Takes the settings of a command, and warns of parameters that look like settings and are none.
     *
     * @param parameters what the user wrote for settings, by their names
     * @param options what messages call those that the user wrote as an option, such as {@code --platform}
     * @return the settings; one that cannot be understood fails when it is asked for
     */
    public static Settings of(Map<String, String> parameters, Map<Setting<?>, String> options) {
        return ofThisJvm(name -> Optional.ofNullable(parameters.get(name)), parameters.keySet(), options);
    }

    private static Settings ofThisJvm(
            Function<String, Optional<String>> parameters,
            Set<String> parameterNames,
            Map<Setting<?>, String> options) {
        Map<String, String> properties = System.getProperties().stringPropertyNames().stream()
                .collect(Collectors.toMap(Function.identity(), name -> System.getProperty(name, "")));
        return new Settings(parameters, parameterNames, options, properties, System.getenv(), Path.of(""));
    }

    /**
     * Checks whether a CI server runs this process.
     *
     * @param environment of the process
     * @return whether {@code CI} is set, and not to {@code false} or {@code 0}
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
     * A value and where it came from.
     *
     * @param setting which one
     * @param <T> the type of its value
     * @return the value that was given first, or its default
     * @throws BadSettingException when what was given cannot be understood
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
     * A value.
     *
     * @param setting which one
     * @param <T> the type of its value
     * @return the value that was given first, or its default
     * @throws BadSettingException when what was given cannot be understood
     */
    public <T> T value(Setting<T> setting) {
        return get(setting).value();
    }

    /**
     * Configuration parameters, system properties and environment variables that look like settings and are none.
     *
     * @return one sentence each, with the nearest name that exists
     */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    /**
     * All settings for a person: value, origin, meaning, what can be written, default; then the warnings.
     *
     * @return lines of text, the last one ended too
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

    private static Optional<String> present(Optional<String> text) {
        return text.map(String::strip).filter(stripped -> !stripped.isEmpty());
    }

    private void warn(String what, String prefix, Set<String> names, Function<Setting<?>, String> naming) {
        Set<String> suspects = new TreeSet<>(names);
        suspects.removeIf(name -> !LIKE_A_SETTING.matcher(name).lookingAt() || name.equals(OWN_VARIABLE));
        if (suspects.isEmpty()) {
            return;
        }
        Map<String, String> known = new LinkedHashMap<>();
        for (Setting<?> setting : Setting.all()) {
            String name = naming.apply(setting);
            suspects.remove(name);
            known.put(plain(name.substring(prefix.length())), name.substring(prefix.length()));
        }
        for (String name : suspects) {
            warnings.add("%s %s is no setting and has no effect; %s"
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
     * Returns the nearest name, or a shorter one that begins or ends the written one where the nearest has more than typing errors.
     * All kinds of undecided expectations have one setting.
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

    /** Returns a name without what differs between properties and environment variables. */
    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[_-]", ".");
    }

    private record Given(String text, Origin origin, String name) {}
}
