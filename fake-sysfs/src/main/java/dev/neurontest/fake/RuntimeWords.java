package dev.neurontest.fake;

import dev.neurontest.fake.control.CommandException;
import dev.neurontest.fake.control.Words;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** What comes behind the command {@code nrt}: the words of the runtime library of a process. */
final class RuntimeWords {

    private final FakeRuntime runtime;
    private final Map<String, FakeProcess> processes;
    private final Map<String, RuntimeClient> clients = new HashMap<>();

    /** @param processes those of the session, by name */
    RuntimeWords(FakeRuntime runtime, Map<String, FakeProcess> processes) {
        this.runtime = runtime;
        this.processes = processes;
    }

    void forget(String process) {
        clients.remove(process);
    }

    String carryOut(Words words) throws CommandException, IOException {
        String verb = words.next("what the library says");
        switch (verb) {
            case "facts" -> {
                return runtime.facts(size(words));
            }
            case "instance" -> {
                words.end();
                return runtime.instance();
            }
            case "open" -> {
                return open(words);
            }
            default -> {
                return carryOut(verb, client(words), words);
            }
        }
    }

    private String open(Words words) throws CommandException {
        String name = words.next("the name of the process");
        FakeProcess process = processes.get(name);
        if (process == null) {
            throw words.wrong("no process " + name + " is open here");
        }
        RuntimeClient client = runtime.client(process, size(words));
        clients.put(name, client);
        return client.facts();
    }

    private static int size(Words words) throws CommandException {
        int size = words.hasMore() ? words.nextInt("the size of a logical core") : 0;
        words.end();
        return size;
    }

    private RuntimeClient client(Words words) throws CommandException {
        String name = words.next("the name of the process");
        RuntimeClient client = clients.get(name);
        if (client == null) {
            throw words.wrong("process " + name + " does not use the library here");
        }
        return client;
    }

    private static String carryOut(String verb, RuntimeClient client, Words words)
            throws CommandException, IOException {
        switch (verb) {
            case "load" -> {
                return client.load(
                        words.nextInt("the logical core"),
                        words.nextInt("how many"),
                        words.nextInt("the workers"),
                        words.next("the file"));
            }
            case "unload" -> client.unload(words.nextNumber("the model"));
            case "alloc" -> {
                int core = words.nextInt("the logical core");
                boolean device = words.next("device or host").equals("device");
                return Long.toString(client.allocate(core, device, words.nextNumber("the size")));
            }
            case "free" -> client.free(words.nextNumber("the tensor"));
            case "begin" -> {
                return client.begin(words.nextNumber("the model"));
            }
            case "compute" -> {
                return client.compute(words.nextNumber("the execution"), words.next("the file"));
            }
            case "end" -> client.end(words.nextNumber("the execution"), words.nextInt("the status"));
            case "refused" -> client.refused(words.nextNumber("the model"), words.nextInt("the status"));
            case "trace" -> client.trace(words.nextNumber("the model"));
            case "traced" -> {
                return client.traced(words.nextNumber("the model"));
            }
            case "latest" -> {
                return client.latest(words.nextInt("the logical core"));
            }
            default -> throw words.wrong("unknown verb " + verb);
        }
        return "";
    }
}
