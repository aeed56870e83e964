package dev.neurontest.fake.internal.profiler.call;

import dev.neurontest.fake.internal.tool.HostConnection;
import dev.neurontest.fake.internal.tool.ToolFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The host's answer to a call of a tool.
 *
 * @param number number of the call, from 1
 * @param instanceType instance type of the host
 * @param driver version of the driver
 * @param logicalCoreSize number of physical cores of a logical core, unless the command line overrides it
 * @param runtime version of the runtime library
 * @param scripts scripted effects on the call
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Call(
        long number, String instanceType, String driver, int logicalCoreSize, String runtime, List<Script> scripts) {

    /**
     * Begins a call. The host consumes scripts that apply to a limited number of calls.
     *
     * @param host the host
     * @param stage the command
     * @param invocation the command line, which the host records
     * @return the host's answer
     * @throws IOException if the connection to the host is lost
     * @throws ToolFailure if the host rejects the call
     */
    public static Call begin(HostConnection host, Effect.Stage stage, Invocation invocation)
            throws IOException, ToolFailure {
        StringBuilder command = new StringBuilder("profiler begin ").append(stage.word());
        command.append(' ').append(invocation.release().tool());
        for (String argument : invocation.arguments()) {
            if (command.length() < 4000) {
                command.append(' ').append(argument.isEmpty() ? "''" : Script.word(argument));
            }
        }
        return parse(host.request(command.toString()));
    }

    /**
     * Queries the host without beginning a call; no script is consumed.
     *
     * @return a call with the number 0 and no scripts
     * @throws IOException if the connection to the host is lost
     * @throws ToolFailure if the host rejects the query
     */
    public static Call facts(HostConnection host) throws IOException, ToolFailure {
        return parse(host.request("profiler facts"));
    }

    /**
     * Parses the words {@code call N instance T driver V lnc N runtime V} and scripts, each preceded by a bar.
     *
     * @param answer those words
     */
    public static Call parse(String answer) {
        List<Script> scripts = new ArrayList<>();
        int bar = answer.indexOf('|');
        String[] facts = (bar < 0 ? answer : answer.substring(0, bar)).strip().split(" ");
        while (bar >= 0) {
            int next = answer.indexOf('|', bar + 1);
            String script =
                    answer.substring(bar + 1, next < 0 ? answer.length() : next).strip();
            scripts.add(Script.parse(List.of(script.split(" "))));
            bar = next;
        }
        return new Call(Long.parseLong(facts[1]), facts[3], facts[5], Integer.parseInt(facts[7]), facts[9], scripts);
    }

    /**
     * Returns the call to use when there is no host.
     *
     * @return a call without scripts
     */
    public static Call withoutHost() {
        return new Call(1, "", "", 1, "", List.of());
    }

    /** Returns whether an effect is scripted for any worker. */
    public boolean has(Effect effect) {
        return find(effect) != null;
    }

    /**
     * Returns whether an effect is scripted for a worker.
     *
     * @param rank rank of the worker
     * @return true if a script applies to this worker or to all
     */
    public boolean has(Effect effect, int rank) {
        return Script.last(scripts, effect, rank) != null;
    }

    @Nullable
    Script find(Effect effect) {
        return Script.last(scripts, effect, -1);
    }

    /**
     * Returns the scripts of a worker in order.
     *
     * @param rank rank of the worker
     */
    public List<Script> scripts(int rank) {
        return scripts.stream()
                .filter(script -> script.rank() < 0 || script.rank() == rank)
                .toList();
    }

    /**
     * Returns an argument of an effect for a worker.
     *
     * @param position index of the argument, from 0
     * @param rank rank of the worker; -1 for all
     * @param otherwise the result if the effect is not scripted
     * @return the argument of the last script with the effect
     */
    public String argument(Effect effect, int position, int rank, String otherwise) {
        Script script = Script.last(scripts, effect, rank);
        return script == null ? otherwise : script.arguments().get(position);
    }
}
