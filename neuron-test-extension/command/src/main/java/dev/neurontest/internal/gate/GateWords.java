package dev.neurontest.internal.gate;

import dev.neurontest.internal.file.FileProblem;
import dev.neurontest.internal.file.InputFile;
import dev.neurontest.internal.text.NearestName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Parser of gate limits in the form {@code hardware.min = 40}. A second limit for a gate is an error. */
final class GateWords {

    private static final String EXPECTED = "lines such as hardware.min = 40.";

    private final Map<Gate, GateLimit> limits = new EnumMap<>(Gate.class);
    private final Map<Gate, String> places = new HashMap<>();

    private GateWords() {}

    /** Parses arguments of the command line. */
    static Map<Gate, GateLimit> of(List<String> arguments) {
        GateWords words = new GateWords();
        arguments.forEach(each -> words.add("command line, " + each, "from the command line", each));
        return words.limits;
    }

    /** Parses a file with one limit per line. */
    static Map<Gate, GateLimit> in(Path file) {
        GateWords words = new GateWords();
        int number = 0;
        for (String line : text(file).replaceFirst("^\uFEFF", "").lines().toList()) {
            String where = file + ":" + ++number;
            if (!line.isBlank() && "#!".indexOf(line.strip().charAt(0)) < 0) {
                words.add(where, "from " + where, line);
            }
        }
        return words.limits;
    }

    private static String text(Path file) {
        try {
            return InputFile.GATES.text(file);
        } catch (IOException unread) {
            throw new GateRulesException(
                    file.toString(), "%s. Name a file of %s".formatted(FileProblem.of(unread), EXPECTED), unread);
        }
    }

    private void add(String where, String source, String assignment) {
        String[] parts = assignment.strip().split("\\s*=\\s*", 2);
        if (parts.length == 1) {
            throw new GateRulesException(where, "\"%s\" has no \"=\". Expected %s".formatted(parts[0], EXPECTED));
        }
        Gate gate = Gate.of(parts[0]).orElseThrow(() -> new GateRulesException(where, unknown(parts[0])));
        String before = places.putIfAbsent(gate, where);
        if (before != null) {
            throw new GateRulesException(
                    where, "%s has a value already, in %s. Remove one of the two.".formatted(gate.key(), before));
        }
        try {
            limits.put(gate, gate.limit(parts[1], source));
        } catch (IllegalArgumentException e) {
            throw new GateRulesException(
                    where,
                    "%s is \"%s\": %s. Expected %s.".formatted(gate.key(), parts[1], e.getMessage(), gate.accepts()),
                    e);
        }
    }

    private static String unknown(String name) {
        return "\"%s\" is not a gate, %s"
                .formatted(
                        name,
                        NearestName.of(name, Gate.keys())
                                .map(nearest -> "did you mean " + nearest + "?")
                                .orElse("the gates are " + String.join(", ", Gate.keys()) + "."));
    }
}
