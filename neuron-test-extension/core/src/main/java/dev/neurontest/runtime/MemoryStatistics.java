package dev.neurontest.runtime;

import org.apiguardian.api.API;

/**
 * The device memory of a logical core in use by the runtime ({@code nrt_vnc_memory_stats_t}). It includes pools that the runtime creates
 * on first use. A comparison therefore needs a warm-up.
 *
 * @param usedBytes bytes in use by this process
 * @param limitBytes maximum number of bytes
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record MemoryStatistics(long usedBytes, long limitBytes) {}
