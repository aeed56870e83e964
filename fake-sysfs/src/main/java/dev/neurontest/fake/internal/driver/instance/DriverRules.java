package dev.neurontest.fake.internal.driver.instance;

import org.apiguardian.api.API;

/**
 * What differs between releases of the driver beyond the names of files.
 *
 * @param version what {@code /sys/module/neuron/version} prints
 * @param release the release as which it behaves, which is the version's unless that cannot be read or is invented
 * @param liveDatastore true from 2.30.2: what a process keeps in its datastore is shown while it runs; false up to 2.29: it
 *     is added to the counters when the process lets the device go
 * @param resetLeaksPage true before 2.30.2: every reset of a core leaves one page of host memory allocated
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record DriverRules(String version, DriverRelease release, boolean liveDatastore, boolean resetLeaksPage) {}
