package dev.neurontest.profile.system;

import java.util.Comparator;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Events of cores and threads beside each other. Of a row with many events, those that begin in the same piece of the time are one bar.
 *
 * @param start of the first event, in nanoseconds as the tool wrote them
 * @param end of the last one
 * @param lanes cores, then threads; at most {@value #MOST_LANES}
 * @param more how many rows there are beside these
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Timeline(long start, long end, List<Lane> lanes, long more) {

    static final int MOST_LANES = 40;

    /** Of more events, neighbours are one bar. */
    static final int MOST_BARS = 60;

    /** Into how many pieces the time is cut then. */
    static final int PIECES = 120;

    /** Cores first; nc2 before nc10. */
    private static final Comparator<Lane> IN_ORDER = Comparator.comparing((Lane lane) -> !lane.onDevice())
            .thenComparing(lane -> lane.name().length())
            .thenComparing(Lane::name);

    static final Timeline EMPTY = new Timeline(0, 0, List.of(), 0);

    /**
     * Keeps its own copy, in the order in which it is drawn.
     *
     * @param start of the first event
     * @param end of the last one
     * @param lanes cores and threads
     * @param more how many rows there are beside these
     */
    public Timeline {
        lanes = lanes.stream().sorted(IN_ORDER).toList();
    }

    /**
     * A core or a thread.
     *
     * @param name such as {@code nc0} or {@code process 4711 thread 4712}
     * @param onDevice whether it is a core
     * @param events how many it has
     * @param bars at most {@value #PIECES}
     */
    public record Lane(String name, boolean onDevice, long events, List<Bar> bars) {}

    /**
     * An event, or some that begin close together.
     *
     * @param name of the longest
     * @param events how many
     * @param start of the first, in nanoseconds
     * @param end of the last
     */
    public record Bar(String name, long events, long start, long end) {}
}
