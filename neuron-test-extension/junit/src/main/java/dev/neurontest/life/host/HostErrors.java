package dev.neurontest.life.host;

import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.counter.tree.CounterScope;
import dev.neurontest.counter.tree.CounterScopes;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.evidence.RunFile;
import dev.neurontest.json.JsonObject;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The error counters of the whole host, at the beginning and at the end of what this JVM does on it: what moves between tests, or on
 * devices that no test has, is in no test's difference.
 *
 * @param counters of the host
 * @param runFile tells of them
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record HostErrors(CounterScopes counters, RunFile runFile) {

    /** Reads and tells them. */
    public void told(String moment) {
        try {
            CounterScope whole = counters.wholeHost();
            runFile.append(new RunEvent.HostErrors(
                    moment,
                    json(CounterSnapshot.errorsOf(whole)),
                    texts(counters.identities()),
                    texts(whole.unhealthy())));
            whole.doubts().stream().findFirst().ifPresent(doubt -> notice(moment, doubt));
        } catch (RuntimeException unreadable) {
            // The report sees that none were read.
            JsonObject none = new JsonObject("{}");
            runFile.append(new RunEvent.HostErrors(moment, none, none, none));
            notice(moment, String.valueOf(unreadable.getMessage()));
        }
    }

    private void notice(String moment, String reason) {
        runFile.append(new RunEvent.Noticed(
                null,
                "At the %s of the run the error counters of the host are not all known, so whether they moved is not either: %s"
                        .formatted(moment, reason)));
    }

    private static JsonObject texts(Map<String, String> texts) {
        return JsonObject.of(json -> texts.forEach(json::writeStringProperty));
    }

    private static JsonObject json(Map<String, Optional<BigInteger>> errors) {
        return JsonObject.of(json -> errors.forEach((counter, count) -> {
            json.writeName(counter);
            if (count.isPresent()) {
                json.writeNumber(count.get());
            } else {
                json.writeNull();
            }
        }));
    }
}
