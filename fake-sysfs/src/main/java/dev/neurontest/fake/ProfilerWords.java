package dev.neurontest.fake;

import dev.neurontest.fake.control.CommandException;
import dev.neurontest.fake.control.Words;
import dev.neurontest.fake.help.HelpText;
import dev.neurontest.fake.profiler.call.Effect;
import java.util.List;

/** What comes behind the command {@code profiler}. */
final class ProfilerWords {

    private static final int LAST_CALLS = 10;

    private ProfilerWords() {}

    static String carryOut(FakeProfiler profiler, Words words) throws CommandException {
        String first = words.next("what the profiler is to do");
        switch (first) {
            case "begin" -> {
                // This and facts are said by the commands alone.
                String call = words.next("the subcommand");
                return profiler.begin(
                        call.equals("capture") ? ProfilerScript.Call.CAPTURE : ProfilerScript.Call.VIEW, words.rest());
            }
            case "facts" -> {
                words.end();
                return "call 0 " + profiler.facts();
            }
            case "tool" -> {
                profiler.tool(ProfilerTool.of(words.next("the name of the tool")), state(words));
                words.end();
                return "";
            }
            case "reset" -> {
                words.end();
                profiler.reset();
                return "";
            }
            case "scripts" -> {
                words.end();
                return String.join(" | ", profiler.scripts());
            }
            case "calls" -> {
                words.end();
                List<String> calls = profiler.calls();
                return String.join(" | ", calls.subList(Math.max(0, calls.size() - LAST_CALLS), calls.size()));
            }
            case "help" -> {
                HelpText help = new HelpText();
                for (Effect effect : Effect.values()) {
                    help.add("profiler " + effect.usage(), effect.happens());
                }
                help.add("profiler ... times N", "Behind any of them: it happens to the next N calls alone.");
                help.add("profiler ... rank N", "Behind any of them: it happens to this rank alone.");
                return help.answer();
            }
            default -> {
                profiler.script(ProfilerScript.parse(first + " " + words.rest()));
                return "";
            }
        }
    }

    private static ToolState state(Words words) throws CommandException {
        String state = words.next("its state");
        return switch (state) {
            case "absent" -> ToolState.absent();
            case "stub" -> ToolState.stub();
            case "working" -> ToolState.working(words.next("its version"));
            default -> throw words.wrong("unknown state " + state);
        };
    }
}
