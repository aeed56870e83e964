package dev.neurontest.internal.maven;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/**
 * Checks the run of the tests against limits, writes reports, and fails the build if a gate failed or nothing could be decided. Without a
 * run file nothing is decided.
 */
@Mojo(name = "gate", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
final class GateMojo extends ReportMojo {

    /**
     * The file of the limits. The default is neuron-gate.properties next to the pom.xml if it exists, and otherwise the default limits.
     */
    @Parameter(property = "neuron.gate.file")
    @Nullable
    File file;

    /** Limits that override the file, such as hardware.min with the value 40. */
    @Parameter
    Map<String, String> limits = Map.of();

    /** Limits of the command line that override all others, such as hardware.min=40,flaky.max=1. */
    @Parameter(property = "neuron.gate.limits")
    List<String> commandLineLimits = List.of();

    @Override
    List<String> words() {
        List<String> words = super.words();
        Path usual = inProject(Path.of("neuron-gate.properties"));
        if (file != null) {
            words.add("--gate=" + file);
        } else {
            words.add(Files.exists(usual, LinkOption.NOFOLLOW_LINKS) ? "--gate=" + usual : "--gate");
        }
        Set<String> nearer = commandLineLimits.stream()
                .map(text -> text.split("=", 2)[0].strip())
                .collect(Collectors.toSet());
        limits.forEach((gate, limit) -> {
            if (!nearer.contains(gate)) {
                words.add("--limit=%s=%s".formatted(gate, limit));
            }
        });
        commandLineLimits.forEach(text -> words.add("--limit=" + text));
        return words;
    }
}
