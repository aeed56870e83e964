package dev.neurontest.fake;

import org.apiguardian.api.API;

/** The user that reads the in-process view. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum FakeReader {
    /** Root: reads everything, and writes only files with a write bit, as on sysfs. */
    ROOT,
    /** An ordinary user: reads files that are readable for all, such as {@code core_count} only from driver 2.28 on; writes nothing. */
    ORDINARY_USER
}
