package dev.neurontest.fake.internal.driver.instance;

import org.apiguardian.api.API;

/**
 * The election of server numbers in an UltraServer or a reservation.
 *
 * @param state the state of the election
 * @param node the number of this server, from 0
 * @param nodes the number of servers
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Election(State state, int node, int nodes) {

    /** The state of an election. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum State {
        /** The election is not finished. */
        RUNNING,
        /** Each server has its number. */
        WON,
        /** A failed election: no server has a number. */
        FAILED
    }

    /** The election of a host by default: the first server of four. */
    public static final Election USUAL = new Election(State.WON, 0, 4);

    /** Returns the number in the pair of servers, as {@code node_id_2} prints it. */
    public int ofPair() {
        return nodes == 4 ? node % 2 : node;
    }
}
