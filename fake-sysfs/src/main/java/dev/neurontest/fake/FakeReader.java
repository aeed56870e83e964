package dev.neurontest.fake;

import org.apiguardian.api.API;

/** Who reads the in-process view. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum FakeReader {
    /** Reads everything; writes what has a write bit, and nothing else, as root on sysfs. */
    ROOT,
    /** Reads what is open to all, such as {@code core_count} only from driver 2.28 on; writes nothing. */
    ORDINARY_USER
}
