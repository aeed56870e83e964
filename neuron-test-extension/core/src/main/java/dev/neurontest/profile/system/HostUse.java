package dev.neurontest.profile.system;

import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * How busy the host was, where that was traced.
 *
 * @param cpuMean over all CPUs and samples, in the numbers that the tool wrote
 * @param cpuMost of one CPU in one sample, in the same numbers
 * @param mostMemory of the host in use, in bytes
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record HostUse(OptionalDouble cpuMean, OptionalDouble cpuMost, OptionalLong mostMemory) {

    static final HostUse UNKNOWN = new HostUse(OptionalDouble.empty(), OptionalDouble.empty(), OptionalLong.empty());
}
