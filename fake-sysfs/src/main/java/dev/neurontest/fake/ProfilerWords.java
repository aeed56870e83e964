package dev.neurontest.fake;

import dev.neurontest.fake.internal.control.CommandWords;
import dev.neurontest.fake.internal.help.HelpText;
import dev.neurontest.fake.internal.profiler.call.Effect;
import java.util.List;

/** Parser of the command {@code profiler}. */
final class ProfilerWords {

    private static final int LAST_CALLS = 10;

    private ProfilerWords() {}

    static String carryOut(FakeProfiler profiler, CommandWords words) {
        String first = words.next("the action");
        return switch (first) {
            // Only the profiler commands send this and "facts".
            case "begin" -> {
                boolean isCapture = words.next("the subcommand").equals("capture");
                yield profiler.begin(isCapture ? Effect.Stage.CAPTURE : Effect.Stage.VIEW, words.rest());
            }
            case "facts" -> "call 0 " + words.last(profiler).facts();
            case "scripts" -> String.join(" | ", words.last(profiler).scripts());
            case "calls" -> {
                List<String> calls = words.last(profiler).calls();
                yield String.join(" | ", calls.subList(Math.max(0, calls.size() - LAST_CALLS), calls.size()));
            }
            case "help" -> help();
            default -> {
                act(profiler, first, words);
                yield "";
            }
        };
    }

    private static void act(FakeProfiler profiler, String first, CommandWords words) {
        switch (first) {
            case "tool" -> profiler.tool(words.next("the name of the tool"), words.rest());
            case "reset" -> words.last(profiler).reset();
            default ->
                profiler.script(List.of((first + " " + words.rest()).strip().split(" ")));
        }
    }

    private static String help() {
        HelpText help = new HelpText();
        for (Effect effect : Effect.values()) {
            help.add("profiler " + effect.usage(), effect.happens());
        }
        help.add("profiler ... times N", "After any script: limits it to the next N calls.");
        help.add("profiler ... rank N", "After any script: limits it to this rank.");
        return help.answer();
    }
}
