package dev.neurontest.device;

import java.util.Collections;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * What the driver says about a device's health, from {@code stats/hardware/health_status}, which drivers have from 2.28 on.
 *
 * @param state the summary
 * @param unhealthyComponents the components that {@code unhealthy_components} names, such as {@code hbm}
 * @param heartbeat {@code healthcheck_heartbeat}; empty where it is not shown
 * @param counts the error and event counts that the driver has there, such as {@code hw_error_event}, by file name
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DeviceHealth(
        State state, SortedSet<String> unhealthyComponents, OptionalLong heartbeat, SortedMap<String, Long> counts) {

    /** The summary of a device's health. */
    public enum State {
        /** Nothing is reported as broken. */
        HEALTHY,
        /** At least one component is reported as broken. */
        UNHEALTHY,
        /** The driver cannot talk to the device. */
        UNREACHABLE,
        /** The driver has no health report: older than 2.30, or hardware before Trn2. */
        UNREPORTED
    }

    /**
     * Keeps its own copies.
     *
     * @param state the summary
     * @param unhealthyComponents the components that {@code unhealthy_components} names, such as {@code hbm}
     * @param heartbeat {@code healthcheck_heartbeat}; empty where it is not shown
     * @param counts the error and event counts that the driver has there, such as {@code hw_error_event}, by file name
     */
    public DeviceHealth {
        unhealthyComponents = Collections.unmodifiableSortedSet(new TreeSet<>(unhealthyComponents));
        counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
    }
}
