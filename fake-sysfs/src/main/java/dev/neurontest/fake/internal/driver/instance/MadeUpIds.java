package dev.neurontest.fake.internal.driver.instance;

import org.apiguardian.api.API;

/** Made-up identifiers of the EC2 instance. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class MadeUpIds {

    /** The instance. */
    public static final String INSTANCE = "i-0123456789abcdef0";

    /** Its image. */
    public static final String IMAGE = "ami-0123456789abcdef0";

    /** Its subnet. */
    public static final String SUBNET = "subnet-0123456789abcdef0";

    private MadeUpIds() {}
}
