package dev.neurontest.internal.cluster.agent;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The calls for the host as a whole. */
final class HostCalls {

    private HostCalls() {}

    /**
     * The description of a host.
     *
     * @param pid the process id of the agent
     * @param machine the name of the machine by its kernel
     * @param identity a text that is equal for agents of the same devices
     * @param kind the kind of host, such as {@code real} or {@code fake}
     * @param root the root of its files
     * @param absence why it has no devices; empty with devices
     * @param layout the driver layout of a fake host
     */
    record Described(
            long pid,
            String machine,
            String identity,
            String kind,
            String root,
            Optional<String> absence,
            Optional<String> layout) {}

    /**
     * Opens the host. It is the first call.
     *
     * @param host the name of the host in the cluster
     * @param settings the settings of the test JVM by name; for all others, the environment of the host decides
     */
    record Open(String host, Map<String, String> settings) implements Call<Described> {

        @Override
        public Class<Described> answer() {
            return Described.class;
        }

        @Override
        public Described on(HostAgent agent) {
            return agent.open(host, settings);
        }
    }

    /** The time of the clock that measures durations on a host. */
    record Clock(long nanos) {}

    /** Reads the clock of the agent that measures durations. */
    record ReadClock() implements Call<Clock> {

        @Override
        public Class<Clock> answer() {
            return Clock.class;
        }

        @Override
        public Clock on(HostAgent agent) {
            return new Clock(System.nanoTime());
        }
    }

    /** A message of the kernel, with its time since the start of the kernel. */
    record KernelMessage(Duration sinceBoot, String text) {}

    record KernelMessages(List<KernelMessage> messages) {}

    /** Reads the messages of the kernel. */
    record ReadKernelLog() implements Call<KernelMessages> {

        @Override
        public Class<KernelMessages> answer() {
            return KernelMessages.class;
        }

        @Override
        public KernelMessages on(HostAgent agent) throws IOException {
            List<KernelMessage> messages = new ArrayList<>();
            agent.host()
                    .kernelLog()
                    .messages()
                    .read((sinceBoot, text) -> messages.add(new KernelMessage(sinceBoot, text)));
            return new KernelMessages(messages);
        }
    }

    /** Interrupts another call, which answers then. */
    record Cancel(long id) implements Call<Call.Done> {

        @Override
        public Class<Done> answer() {
            return Done.class;
        }

        @Override
        public Done on(HostAgent agent) {
            agent.cancel(id);
            return new Done();
        }
    }
}
