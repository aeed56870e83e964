package dev.neurontest.internal.cluster;

import java.util.List;

/** Hosts that are all this machine. */
record LocalEngine(String source, List<String> hosts) implements HostEngine {

    LocalEngine {
        hosts = List.copyOf(hosts);
    }

    @Override
    public String name() {
        return "this machine";
    }

    @Override
    public boolean isThisMachine() {
        return true;
    }

    @Override
    public List<String> command(String host, List<String> words) {
        HostNames.requireOneOf(hosts, host);
        return List.copyOf(words);
    }
}
