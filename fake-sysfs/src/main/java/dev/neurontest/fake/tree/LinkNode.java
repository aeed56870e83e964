package dev.neurontest.fake.tree;

import dev.neurontest.fake.FakeEntry;

/** A symbolic link. */
final class LinkNode extends Node {

    private static final int MODE = 0777;

    private final String target;

    LinkNode(DirectoryNode parent, String name, String target) {
        super(parent, name);
        this.target = target;
    }

    String target() {
        return target;
    }

    @Override
    FakeEntry entry() {
        return new FakeEntry(FakeEntry.Type.LINK, MODE, target.length(), target);
    }
}
