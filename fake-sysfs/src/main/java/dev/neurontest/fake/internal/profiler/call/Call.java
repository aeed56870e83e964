package dev.neurontest.fake.internal.profiler.call;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What the host says about one call of a tool.
 *
 * @param number of the call, from 1
 * @param instanceType of the host
 * @param driver the driver's version
 * @param logicalCoreSize physical cores of a logical core unless the command line says otherwise
 * @param runtime the version of the runtime library
 * @param scripts what is to happen
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Call(
        long number, String instanceType, String driver, int logicalCoreSize, String runtime, List<Script> scripts) {

    /**
     * Begins a call: what is meant for one call only is used up.
     *
     * @param host the host
     * @param stage which command
     * @param invocation the command line, for the host to remember
     * @return what the host says
     * @throws IOException when the host is lost
     * @throws ToolFailure when the host refuses
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
        return parse(host.ask(command.toString()));
    }

    /**
     * What there is to know without a call, and nothing is used up.
     *
     * @param host the host
     * @return a call of the number 0, without scripts
     * @throws IOException when the host is lost
     * @throws ToolFailure when the host refuses
     */
    public static Call facts(HostConnection host) throws IOException, ToolFailure {
        return parse(host.ask("profiler facts"));
    }

    /**
     * The words {@code call N instance T driver V lnc N runtime V}, and scripts, each behind a bar.
     *
     * @param answer those words
     * @return the call
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
     * What a call finds where no host is any more.
     *
     * @return a call without scripts
     */
    public static Call withoutHost() {
        return new Call(1, "", "", 1, "", List.of());
    }

    /**
     * Whether an effect is scripted.
     *
     * @param effect any
     * @return true for any worker
     */
    public boolean has(Effect effect) {
        return find(effect) != null;
    }

    /**
     * Returns whether an effect is scripted for one worker.
     *
     * @param effect any
     * @param rank of the worker
     * @return true for a script of this worker or of all
     */
    public boolean has(Effect effect, int rank) {
        return Script.last(scripts, effect, rank) != null;
    }

    @Nullable
    Script find(Effect effect) {
        return Script.last(scripts, effect, -1);
    }

    /**
     * What is scripted for one worker.
     *
     * @param rank of the worker
     * @return in order
     */
    public List<Script> scripts(int rank) {
        return scripts.stream()
                .filter(script -> script.rank() < 0 || script.rank() == rank)
                .toList();
    }

    /**
     * An argument of an effect for one worker.
     *
     * @param effect the effect
     * @param position of the argument, from 0
     * @param rank of the worker; -1 for all
     * @param otherwise what to answer where it is not scripted
     * @return the argument of the last script that has the effect
     */
    public String argument(Effect effect, int position, int rank, String otherwise) {
        Script script = Script.last(scripts, effect, rank);
        return script == null ? otherwise : script.arguments().get(position);
    }
}
