package dev.neurontest.internal.participant;

import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.platform.FakeScript;
import dev.neurontest.internal.platform.Platform;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/** A participant that ends the scripts that the body of a test gave the fake host, and reports those without an effect. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class BodyScripts implements Participant {

    private final Platform platform;
    private final UserCode userCode;
    private final Set<Object> before = new HashSet<>();
    private final Set<Object> ofBody = new HashSet<>();

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
            before.clear();
            for (FakeScript each : platform.scripts()) {
                before.add(each.script());
            }
        } else if (phase == Phase.TEARDOWN) {
            ofBody.clear();
            for (FakeScript each : platform.scripts()) {
                if (userCode.hasRunOn(each.author()) && !before.contains(each.script())) {
                    ofBody.add(each.script());
                }
            }
        }
    }

    @Override
    public List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        for (FakeScript each : ofBody()) {
            if (!each.used()) {
                remarks.add("the script \"" + each.text()
                        + "\" of the test's body had no effect, and it ended with the test.");
            }
        }
        return remarks;
    }

    @Override
    public void release() {
        for (FakeScript each : ofBody()) {
            each.end().run();
        }
    }

    private List<FakeScript> ofBody() {
        if (ofBody.isEmpty()) {
            return List.of();
        }
        return platform.scripts().stream()
                .filter(each -> ofBody.contains(each.script()))
                .toList();
    }
}
