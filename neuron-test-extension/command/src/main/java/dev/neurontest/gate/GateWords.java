package dev.neurontest.gate;

import dev.neurontest.file.InputFile;
import dev.neurontest.file.UnfitFileException;
import dev.neurontest.text.NearestName;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Limits of gates as the user wrote them, such as {@code hardware.min = 40}. The second limit of a gate is an error. */
final class GateWords {

    private static final String EXPECTED = "lines such as hardware.min = 40.";

    private final Map<Gate, GateLimit> limits = new EnumMap<>(Gate.class);
    private final Map<Gate, String> places = new HashMap<>();

    private GateWords() {}

    /** Reads arguments of the command line. */
    static Map<Gate, GateLimit> of(List<String> arguments) {
        GateWords words = new GateWords();
        arguments.forEach(each -> words.add("command line, " + each, "from the command line", each));
        return words.limits;
    }

    /** Reads a file with one limit a line. */
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
        } catch (NoSuchFileException e) {
            throw new GateRulesException(file.toString(), "there is no such file. Expected " + EXPECTED, e);
        } catch (CharacterCodingException e) {
            throw new GateRulesException(file.toString(), "it is no text in UTF-8.", e);
        } catch (UnfitFileException e) {
            throw new GateRulesException(
                    file.toString(), "it %s. Name a file of %s".formatted(e.getReason(), EXPECTED), e);
        } catch (IOException e) {
            throw new GateRulesException(file.toString(), "it cannot be read: " + e, e);
        }
    }

    /** Adds a limit; {@code source} names where it is from in outcomes. */
    private void add(String where, String source, String assignment) {
        String[] parts = assignment.strip().split("\\s*[=:]\\s*|\\s+", 2);
        Gate gate = Gate.of(parts[0]).orElseThrow(() -> new GateRulesException(where, unknown(parts[0])));
        String before = places.putIfAbsent(gate, where);
        if (before != null) {
            throw new GateRulesException(
                    where, "%s has a value already, in %s. Remove one of the two.".formatted(gate.key(), before));
        }
        String value = parts.length == 1 ? "" : parts[1];
        try {
            limits.put(gate, gate.limit(value, source));
        } catch (IllegalArgumentException e) {
            throw new GateRulesException(
                    where,
                    "%s is \"%s\": %s. Expected %s.".formatted(gate.key(), value, e.getMessage(), gate.accepts()),
                    e);
        }
    }

    private static String unknown(String name) {
        return "\"%s\" is no gate, %s"
                .formatted(
                        name,
                        NearestName.of(name, Gate.keys())
                                .map(nearest -> "did you mean " + nearest + "?")
                                .orElse("the gates are " + String.join(", ", Gate.keys()) + "."));
    }
}
