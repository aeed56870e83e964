package dev.neurontest.fake.internal.systemtool;

/** Made-up identifiers of the instance. */
final class Ids {

    static final String INSTANCE = "i-0123456789abcdef0";
    static final String IMAGE = "ami-0123456789abcdef0";
    static final String SUBNET = "subnet-0123456789abcdef0";

    private Ids() {}
}
