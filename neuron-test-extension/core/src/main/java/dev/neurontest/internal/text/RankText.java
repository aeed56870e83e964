package dev.neurontest.internal.text;

import org.apiguardian.api.API;

/** The name of a program of a workload on several hosts. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RankText {

    private RankText() {}

    /**
     * Returns the rank and the host in words.
     *
     * @return one line, such as {@code rank 3 on n1}
     */
    public static String of(int rank, String host) {
        return "rank %s on %s".formatted(rank, VisibleText.line(host));
    }
}
