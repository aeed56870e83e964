package dev.neurontest.internal.platform;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.host.HostTree;

/** What the extension reads of a fake that a test has made itself, with a clock of its own. */
public final class InProcessFixture {

    private InProcessFixture() {}

    public static HostTree tree(FakeNeuronHost host) {
        return new FakeHostTree("fake:" + host.instanceType() + "@" + host.layout(), host.tree());
    }
}
