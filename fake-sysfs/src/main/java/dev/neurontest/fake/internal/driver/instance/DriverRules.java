package dev.neurontest.fake.internal.driver.instance;

import org.apiguardian.api.API;

/**
 * The differences between releases of the driver, except the names of files.
 *
 * @param version the content of {@code /sys/module/neuron/version}
 * @param release the release that determines the behavior; it is that of the version, unless the version is unreadable or invented
 * @param liveDatastore true from 2.30.2: the datastore of a process is visible while it runs; false up to 2.29: it is added to the counters
 *     when the process releases the device
 * @param resetLeaksPage true before 2.30.2: every reset of a core leaves one page of host memory allocated
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record DriverRules(String version, DriverRelease release, boolean liveDatastore, boolean resetLeaksPage) {}
