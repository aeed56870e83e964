package dev.neurontest.internal.platform;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.host.HostTree;

/** A fake of a test with a separate clock, and the tree that the extension reads from it. */
public final class InProcessFixture {

    private InProcessFixture() {}

    public static HostTree tree(FakeNeuronHost host) {
        return new FakeHostTree("fake:" + host.instanceType() + "@" + host.layout(), host.tree());
    }
}
