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
 * Which tests are to run and how they are told of, handed to the test JVM as words of the form {@code name=value}.
 *
 * @param words names such as {@code class} or {@code include-tag} with their values, in any order
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record TestSelection(List<String> words) {

    /** As JUnit's own launcher looks for tests where no names are given. */
    public static final String TEST_CLASSES = "^(Test.*|.+[.$]Test.*|.*Tests?)$";

    /** Begins the word that says by {@link DetailsOption} which tests have lines. */
    public static final String DETAILS = "details=";

    /** Begins the word that has the key of coloured words; there are none without it. */
    public static final String COLOURS = "colours=";

    /** Begins the word that has the folder of the {@link RunState}. */
    static final String STATE = "state=";

    /** Begins the word that says which shard runs, where one does. */
    public static final String SHARD = "shard=";

    /** Kinds of selectors, each the name of an option without {@code select-}. */
    static final List<String> SELECTORS = List.of("scan", "class", "method", "package");

    /**
     * Keeps its own copy.
     *
     * @param words names with their values
     */
    public TestSelection {
        words = List.copyOf(words);
    }

    /**
     * Checks whether no word selects a test.
     *
     * @return true where no word selects any
     */
    public boolean isEmpty() {
        return SELECTORS.stream().allMatch(selector -> values(selector).isEmpty());
    }

    /**
     * The same with one more word.
     *
     * @param word a name with its value
     * @return a new selection
     */
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
    boolean asksForInvocations() {
        return methods().anyMatch(method -> method.invocation().isPresent());
    }

    /** The tests of which this shard is a part. */
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

    /**
     * What is configured.
     *
     * @return configuration parameters of JUnit, and settings
     */
    public Map<String, String> parameters() {
        Map<String, String> parameters = new TreeMap<>();
        for (String config : values("config")) {
            int equals = config.indexOf('=');
            parameters.put(config.substring(0, equals), config.substring(equals + 1));
        }
        return parameters;
    }

    /** Who names a class or a method means it, whatever it is called, and what is around it. */
    private String[] classNames() {
        List<String> given = values("include-classname");
        Stream<String> patterns = given.isEmpty() ? Stream.of(TEST_CLASSES) : given.stream();
        Stream<String> named = Stream.concat(values("class").stream(), values("method").stream())
                .map(name -> name.split("#", 2)[0])
                .flatMap(TestSelection::withThoseAround);
        return Stream.concat(patterns, named).toArray(String[]::new);
    }

    private static Stream<String> withThoseAround(String name) {
        Stream<String> around = Stream.iterate(
                        name.lastIndexOf('$'), dollar -> dollar > 0, dollar -> name.lastIndexOf('$', dollar - 1))
                .map(dollar -> Pattern.quote(name.substring(0, dollar)));
        return Stream.concat(Stream.of(Pattern.quote(name) + "(\\$.*)?"), around);
    }
}
