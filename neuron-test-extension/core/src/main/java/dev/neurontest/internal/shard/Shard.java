package dev.neurontest.internal.shard;

import org.apiguardian.api.API;

/**
 * One of the parts into which a suite is cut.
 *
 * @param index which, from 1
 * @param count how many there are
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Shard(int index, int count) {

    /**
     * As it is written in settings.
     *
     * @return such as {@code 3/8}
     */
    @Override
    public String toString() {
        return index + "/" + count;
    }
}
