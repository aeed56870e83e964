package dev.neurontest.fake.internal.profiler.capture;

import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.tool.ToolRelease;
import java.time.Duration;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The trace that the runtime library writes without the profiler command. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RuntimeTrace {

    private RuntimeTrace() {}

    /**
     * Creates the content of an NTFF.
     *
     * @param neff the executed NEFF
     * @param cores the physical cores of the logical core
     * @param call the host's answer to a capture
     * @param time duration of the execution; null for that of the model
     * @param execution number of the execution since the model was loaded, from 1
     * @return content of the file
     */
    public static byte[] of(Neff neff, List<String> cores, String call, @Nullable Duration time, int execution) {
        Call parsed = Call.parse(call);
        Neff executed = time == null ? neff : neff.taking(time);
        ToolRelease release = ToolRelease.ofDriver(parsed.driver());
        return Trace.bytes(new Trace(release, parsed, executed, worker -> cores).of(0, 0, execution), parsed);
    }
}
