package dev.neurontest.fake.internal.profiler.capture;

import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.profiler.call.ToolRelease;
import java.time.Duration;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The trace that the runtime library writes of an execution by itself. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RuntimeTrace {

    private RuntimeTrace() {}

    /**
     * Makes the content of an NTFF.
     *
     * @param neff what was executed
     * @param cores the physical cores of the logical core on which it was
     * @param call what the host says to a capture that begins
     * @param time how long it took; null for as long as the model says
     * @param execution its number since the model was loaded, from 1
     * @return the file
     */
    public static byte[] of(Neff neff, List<String> cores, String call, @Nullable Duration time, int execution) {
        Call said = Call.parse(call);
        Neff executed = time == null ? neff : neff.taking(time);
        ToolRelease release = ToolRelease.ofDriver(said.driver());
        return Trace.bytes(new Trace(release, said, executed, worker -> cores).of(0, 0, execution), said);
    }
}
