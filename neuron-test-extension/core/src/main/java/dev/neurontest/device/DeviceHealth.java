package dev.neurontest.device;

import java.util.Collections;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * The health of a device as reported in {@code stats/hardware/health_status}. Drivers have it from 2.28 on.
 *
 * @param state the summary
 * @param unhealthyComponents names of the components in {@code unhealthy_components}, such as {@code hbm}
 * @param heartbeat {@code healthcheck_heartbeat}; empty if it does not exist
 * @param counts the other error and event counts in this directory, such as {@code hw_error_event}, by file name
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DeviceHealth(
        State state, SortedSet<String> unhealthyComponents, OptionalLong heartbeat, SortedMap<String, Long> counts) {

    /** The summary of a device's health. */
    public enum State {
        /** A device without broken components in the report. */
        HEALTHY,
        /** At least one component reported as broken. */
        UNHEALTHY,
        /** A device that does not answer the driver. */
        UNREACHABLE,
        /** A device without a health report: a driver older than 2.30, or hardware before Trn2. */
        UNREPORTED
    }

    /**
     * Creates a health report with copies of the collections.
     *
     * @param state the summary
     * @param unhealthyComponents names of the components in {@code unhealthy_components}, such as {@code hbm}
     * @param heartbeat {@code healthcheck_heartbeat}; empty if it does not exist
     * @param counts the other error and event counts in this directory, such as {@code hw_error_event}, by file name
     */
    public DeviceHealth {
        unhealthyComponents = Collections.unmodifiableSortedSet(new TreeSet<>(unhealthyComponents));
        counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
    }
}
