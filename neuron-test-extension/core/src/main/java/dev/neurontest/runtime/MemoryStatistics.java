package dev.neurontest.runtime;

import org.apiguardian.api.API;

/**
 * What the runtime uses of a logical core's device memory ({@code nrt_vnc_memory_stats_t}). Pools that it makes when they are first
 * needed count too, so that a comparison wants a warm-up.
 *
 * @param usedBytes in use by this process
 * @param limitBytes what it may use
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record MemoryStatistics(long usedBytes, long limitBytes) {}
