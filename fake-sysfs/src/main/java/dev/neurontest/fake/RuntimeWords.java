package dev.neurontest.fake;

import dev.neurontest.fake.internal.control.CommandWords;
import dev.neurontest.fake.internal.profiler.capture.InspectOutput;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Parser of the command {@code nrt}, which the runtime library of a process sends. */
final class RuntimeWords {

    private final FakeRuntime runtime;
    private final Map<String, FakeProcess> processes;
    private final Map<String, RuntimeClient> clients = new HashMap<>();

    /**
     * Creates the parser of a session.
     *
     * @param processes the processes of the session, by name
     */
    RuntimeWords(FakeRuntime runtime, Map<String, FakeProcess> processes) {
        this.runtime = runtime;
        this.processes = processes;
    }

    void forget(String process) {
        clients.remove(process);
    }

    String carryOut(CommandWords words) throws IOException {
        String verb = words.next("the verb");
        return switch (verb) {
            case "facts" -> runtime.facts(size(words));
            case "instance" -> words.last(runtime).instance();
            case "open" -> open(words);
            case "outputs" -> runtime.outputs(words.next("the NEFF"), words.next("the inputs"));
            default -> carryOut(verb, client(words), words);
        };
    }

    private String open(CommandWords words) {
        String name = words.next("the name of the process");
        FakeProcess process = processes.get(name);
        if (process == null) {
            throw words.wrong("this session has no process " + name);
        }
        RuntimeClient client = runtime.client(process, size(words));
        clients.put(name, client);
        return client.facts();
    }

    private static int size(CommandWords words) {
        int size = words.hasMore() ? words.nextInt("the size of a logical core") : 0;
        words.end();
        return size;
    }

    private RuntimeClient client(CommandWords words) {
        String name = words.next("the name of the process");
        RuntimeClient client = clients.get(name);
        if (client == null) {
            throw words.wrong("process " + name + " has not opened the runtime library in this session");
        }
        return client;
    }

    private static String carryOut(String verb, RuntimeClient client, CommandWords words) throws IOException {
        return switch (verb) {
            case "load" ->
                client.load(
                        words.nextInt("the logical core"),
                        words.nextInt("the number of logical cores"),
                        words.nextInt("the workers"),
                        words.next("the file"));
            case "alloc" ->
                Long.toString(client.allocate(
                        words.nextInt("the logical core"),
                        words.next("device or host").equals("device"),
                        words.nextNumber("the size")));
            case "begin" -> client.begin(words.nextNumber("the model"));
            case "compute" -> client.compute(words.nextNumber("the execution"), words.next("the file"));
            case "traced" -> client.traced(words.nextNumber("the model"));
            case "inspected" -> client.inspected();
            case "latest" -> client.latest(words.nextInt("the logical core"));
            default -> {
                act(verb, client, words);
                yield "";
            }
        };
    }

    private static void act(String verb, RuntimeClient client, CommandWords words) {
        switch (verb) {
            case "unload" -> client.unload(words.nextNumber("the model"));
            case "free" -> client.free(words.nextNumber("the tensor"));
            case "end" -> client.end(words.nextNumber("the execution"), words.nextInt("the status"));
            case "refused" -> client.refused(words.nextNumber("the model"), words.nextInt("the status"));
            case "inspect" -> client.inspect(variables(words));
            case "trace" -> client.trace(words.nextNumber("the model"));
            default -> throw words.wrong("unknown verb " + verb);
        }
    }

    /** Parses variables, each one word without the common beginning of their names. */
    private static Map<String, String> variables(CommandWords words) {
        Map<String, String> variables = new HashMap<>();
        while (words.hasMore()) {
            String[] variable = words.next("the variable").split("=", 2);
            if (variable.length < 2) {
                throw words.wrong(variable[0] + " has no value");
            }
            variables.put(
                    InspectOutput.VARIABLES + variable[0], URLDecoder.decode(variable[1], StandardCharsets.UTF_8));
        }
        return variables;
    }
}
