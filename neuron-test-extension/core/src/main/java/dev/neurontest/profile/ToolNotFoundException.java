package dev.neurontest.profile;

import dev.neurontest.internal.profile.tool.ProfilerTool;
import dev.neurontest.internal.text.VisibleText;
import java.util.List;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** Thrown when no profiler tool works. The message lists every searched place, the reason there, and a remedy. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ToolNotFoundException extends RuntimeException {

    private static final long serialVersionUID = 1;

    @API(status = API.Status.INTERNAL)
    public ToolNotFoundException(ProfilerTool.Search search, List<ProfilerTool.Place> places) {
        super(VisibleText.of(message(search, places)));
    }

    private static String message(ProfilerTool.Search search, List<ProfilerTool.Place> places) {
        String looked = places.stream()
                .map(place -> "\n  %s: %s".formatted(place.path(), place.reason()))
                .collect(Collectors.joining());
        String advice = search.chosen().isPresent()
                ? "Correct neuron.test.profiler, which names this tool, or leave it out, so that the usual places are looked at."
                : "Install the package aws-neuronx-tools (SDK 2.27 or later brings neuron-explorer), or name the tool by neuron.test.profiler. neuron.test.missing says whether such tests fail (fail) or are skipped (skip).";
        return "No profiler tool works here. Looked at:%s\n%s".formatted(looked, advice);
    }
}
