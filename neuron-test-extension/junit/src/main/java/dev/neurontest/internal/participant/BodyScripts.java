package dev.neurontest.internal.participant;

import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.platform.FakeScript;
import dev.neurontest.internal.platform.Platform;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** A participant that ends the scripts that the body of a test gave the fake host, and reports those without an effect. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class BodyScripts implements Participant {

    private final Platform platform;
    private final UserCode userCode;
    private Set<Object> before = Set.of();
    private Set<Object> ofBody = Set.of();

    /**
     * Creates a participant of a test without scripts.
     *
     * @param userCode the methods of the test; scripts of parallel tests come from other threads
     */
    public BodyScripts(Platform platform, UserCode userCode) {
        this.platform = platform;
        this.userCode = userCode;
    }

    @Override
    public void entered(Phase phase) {
        if (phase == Phase.BODY) {
            before = platform.scripts().stream().map(FakeScript::script).collect(Collectors.toSet());
        } else if (phase == Phase.TEARDOWN) {
            ofBody = platform.scripts().stream()
                    .filter(each -> userCode.hasRunOn(each.author()) && !before.contains(each.script()))
                    .map(FakeScript::script)
                    .collect(Collectors.toSet());
        }
    }

    @Override
    public List<String> remarks() {
        return ofBody().stream()
                .filter(each -> !each.used())
                .map(each -> "the script \"%s\" of the test's body had no effect, and it ended with the test."
                        .formatted(each.text()))
                .toList();
    }

    @Override
    public void release() {
        ofBody().forEach(each -> each.end().run());
    }

    private List<FakeScript> ofBody() {
        return ofBody.isEmpty()
                ? List.of()
                : platform.scripts().stream()
                        .filter(each -> ofBody.contains(each.script()))
                        .toList();
    }
}
