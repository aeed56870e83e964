package dev.neurontest.internal.shard;

import org.apiguardian.api.API;

/**
 * A part of a suite.
 *
 * @param index the number of the shard, from 1
 * @param count the number of shards
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Shard(int index, int count) {

    /**
     * Formats the shard as in settings.
     *
     * @return for example {@code 3/8}
     */
    @Override
    public String toString() {
        return index + "/" + count;
    }
}
