package dev.neurontest.fake;

import dev.neurontest.fake.internal.control.CommandWords;
import java.util.ArrayList;
import java.util.List;

/** Parser of the command {@code neff}, which scripts NEFFs with a given name. A value with blanks is quoted. */
final class NeffWords {

    /** Maximum memory of all prints in bytes. The limit is needed because a client may send many small lines. */
    private static final long MOST_HELD = 64 << 20;

    private NeffWords() {}

    static String carryOut(FakeRuntime runtime, CommandWords words) {
        List<String> options = quoted(words);
        if (options.isEmpty()) {
            return String.join(" | ", runtime.scripts());
        }
        String name = options.get(0);
        if (options.size() == 2 && options.get(1).equals("reset")) {
            runtime.reset(name);
            return "";
        }
        if (options.size() < 2) {
            throw words.wrong("the script for NEFFs named " + name + " is missing");
        }
        NeffScript script = runtime.neff(name);
        try {
            for (String option : options.subList(1, options.size())) {
                set(runtime, script, option, words);
            }
            if (script.isEmpty()) {
                throw words.wrong("times limits a script, but there is nothing else to limit");
            }
        } catch (IllegalArgumentException wrong) {
            script.reset();
            throw wrong;
        }
        return "";
    }

    private static void set(FakeRuntime runtime, NeffScript script, String option, CommandWords words) {
        int equals = option.indexOf('=');
        String value = option.substring(equals + 1);
        switch (equals < 0 ? option : option.substring(0, equals)) {
            case "latency" -> {
                if (value.equals("hang")) {
                    script.hangs();
                } else {
                    script.latency(words.duration("the latency", value));
                }
            }
            case "status" -> script.status(NrtStatus.of(value));
            case "fault" -> script.fault(ExecutionFault.of(value));
            case "load" -> script.failsToLoad(NrtStatus.of(value));
            case "print" -> {
                FakePrint print = FakePrint.parse(value);
                if (runtime.held() + print.held() > MOST_HELD) {
                    throw words.wrong(
                            "all scripted prints together take at most %s bytes; neff NAME reset frees those of a NEFF"
                                    .formatted(MOST_HELD));
                }
                script.print(print);
            }
            case "output" -> output(script, value, words);
            case "times" -> {
                if (!value.matches("[0-9]{1,9}")) {
                    throw words.wrong("times must be a whole number, not " + value);
                }
                script.times(Integer.parseInt(value));
            }
            default -> throw words.wrong("unknown option " + option);
        }
    }

    private static void output(NeffScript script, String value, CommandWords words) {
        int blank = value.lastIndexOf(' ');
        if (blank < 1) {
            throw words.wrong("an output has the form NAME FILL, not " + value);
        }
        script.output(value.substring(0, blank), value.substring(blank + 1));
    }

    /** Splits the rest of the line into words. Quotation marks keep blanks together. */
    private static List<String> quoted(CommandWords words) {
        String text = words.rest();
        List<String> all = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inside = false;
        boolean any = false;
        for (char each : text.toCharArray()) {
            if (each == '"') {
                inside = !inside;
                any = true;
            } else if (each == ' ' && !inside) {
                if (any) {
                    all.add(word.toString());
                }
                word.setLength(0);
                any = false;
            } else {
                word.append(each);
                any = true;
            }
        }
        if (inside) {
            throw words.wrong("a quotation mark is missing");
        }
        if (any) {
            all.add(word.toString());
        }
        return all;
    }
}
