package dev.neurontest.print;

import dev.neurontest.internal.text.RankText;
import org.apiguardian.api.API;

/**
 * The program of a workload on several hosts that wrote a print. Core 0 of one program is not core 0 of another.
 *
 * @param rank number of the program among all programs of the workload
 * @param host name of its host
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PrintSource(int rank, String host) {

    /**
     * Returns the rank and the host in words.
     *
     * @return one line, such as {@code rank 3 on n1}
     */
    @Override
    public String toString() {
        return RankText.of(rank, host);
    }
}
