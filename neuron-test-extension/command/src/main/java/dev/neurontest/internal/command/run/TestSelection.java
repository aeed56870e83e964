package dev.neurontest.internal.command.run;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;

/**
 * The selection of tests and the settings of their output. It is passed to the test JVM as words of the form {@code name=value}.
 *
 * @param words names such as {@code class} or {@code include-tag} with their values, in any order
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record TestSelection(List<String> words) {

    /** Default pattern of class names, the same as in JUnit's own launcher. */
    public static final String TEST_CLASSES = "^(Test.*|.+[.$]Test.*|.*Tests?)$";

    /** Beginning of the word with the {@link DetailsOption}. */
    public static final String DETAILS = "details=";

    /** Beginning of the word with the key of colors; without it there are no colors. */
    public static final String COLOURS = "colours=";

    /** Beginning of the word with the folder of the {@link RunState}. */
    static final String STATE = "state=";

    /** Beginning of the word with the shard; it is missing in a run without shards. */
    public static final String SHARD = "shard=";

    /** Names of the selectors, each the name of an option without {@code select-}. */
    static final List<String> SELECTORS = List.of("scan", "class", "method", "package");

    /** Creates a selection with a copy of the list. */
    public TestSelection {
        words = List.copyOf(words);
    }

    /** Checks whether no word selects a test. */
    public boolean isEmpty() {
        return SELECTORS.stream().allMatch(selector -> values(selector).isEmpty());
    }

    /** Returns a selection with one more word, which is a name with its value. */
    public TestSelection with(String word) {
        return new TestSelection(Stream.concat(words.stream(), Stream.of(word)).toList());
    }

    List<String> values(String name) {
        return words.stream()
                .filter(word -> word.startsWith(name + "="))
                .map(word -> word.substring(name.length() + 1))
                .toList();
    }

    private Stream<SelectedMethod> methods() {
        return values("method").stream().map(SelectedMethod::parse);
    }

    /** Checks whether a method is selected with one of its invocations. */
    boolean selectsInvocations() {
        return methods().anyMatch(method -> method.invocation().isPresent());
    }

    /** Returns the selection of the tests of all shards. */
    TestSelection ofAllShards() {
        return with("config=neuron.test.shard=none");
    }

    LauncherDiscoveryRequest request() {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .configurationParameters(parameters())
                .selectors(selectClasspathRoots(
                        values("scan").stream().map(Path::of).collect(Collectors.toCollection(LinkedHashSet::new))))
                .selectors(values("class").stream()
                        .map(name -> selectClass(SelectedMethod.testClass(name)))
                        .toList())
                .selectors(methods().flatMap(SelectedMethod::selectors).toList())
                .selectors(values("package").stream()
                        .map(DiscoverySelectors::selectPackage)
                        .toList())
                .filters(ClassNameFilter.includeClassNamePatterns(classNames()));
        if (!values("include-tag").isEmpty()) {
            request.filters(TagFilter.includeTags(values("include-tag")));
        }
        if (!values("exclude-tag").isEmpty()) {
            request.filters(TagFilter.excludeTags(values("exclude-tag")));
        }
        return request.build();
    }

    /** Returns the configuration parameters of JUnit and the settings. */
    public Map<String, String> parameters() {
        Map<String, String> parameters = new TreeMap<>();
        for (String config : values("config")) {
            int equals = config.indexOf('=');
            parameters.put(config.substring(0, equals), config.substring(equals + 1));
        }
        return parameters;
    }

    /**
     * Returns the patterns of class names. They include the selected classes and methods regardless of their names, and their enclosing
     * classes.
     */
    private String[] classNames() {
        List<String> given = values("include-classname");
        Stream<String> patterns = given.isEmpty() ? Stream.of(TEST_CLASSES) : given.stream();
        Stream<String> named = Stream.concat(values("class").stream(), values("method").stream())
                .map(name -> name.split("#", 2)[0])
                .flatMap(TestSelection::withEnclosingClasses);
        return Stream.concat(patterns, named).toArray(String[]::new);
    }

    private static Stream<String> withEnclosingClasses(String name) {
        Stream<String> enclosing = Stream.iterate(
                        name.lastIndexOf('$'), dollar -> dollar > 0, dollar -> name.lastIndexOf('$', dollar - 1))
                .map(dollar -> Pattern.quote(name.substring(0, dollar)));
        return Stream.concat(Stream.of(Pattern.quote(name) + "(\\$.*)?"), enclosing);
    }
}
