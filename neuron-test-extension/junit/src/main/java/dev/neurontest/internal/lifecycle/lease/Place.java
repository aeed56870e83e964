package dev.neurontest.internal.lifecycle.lease;

import dev.neurontest.internal.lease.CoreRequest;
import org.apiguardian.api.API;

/** A place for cores in a test, a class or the session. Equal places get the same cores. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface Place {

    /** What is wanted. */
    CoreRequest request();
}
