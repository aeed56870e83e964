package dev.neurontest.fake.internal.driver.instance;

import org.apiguardian.api.API;

/**
 * How the servers of an UltraServer, or of a reservation, have agreed on their numbers.
 *
 * @param state whether they have
 * @param node the number of this one, from 0
 * @param nodes how many they are
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Election(State state, int node, int nodes) {

    /** How far it is. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum State {
        /** It goes on. */
        RUNNING,
        /** Each server has its number. */
        WON,
        /** None has one. */
        FAILED
    }

    /** What a host shows unless it is told otherwise: the first server of four. */
    public static final Election USUAL = new Election(State.WON, 0, 4);

    /**
     * The number in the pair of servers.
     *
     * @return what {@code node_id_2} prints
     */
    public int ofPair() {
        return nodes == 4 ? node % 2 : node;
    }
}
