package dev.neurontest.gate;

import dev.neurontest.file.InputFile;
import dev.neurontest.file.UnfitFileException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** Reads a file of gates, line by line: the JDK would let the last of two values win, and knows no lines. */
final class GateFile {

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private GateFile() {}

    static Map<Gate, GateLimit> read(Path file) {
        GateWords words = new GateWords();
        int number = 0;
        for (String line : lines(file)) {
            number++;
            String where = file + ":" + number;
            property(line, where)
                    .forEach((key, value) -> words.add(where, "from " + where, (String) key, (String) value));
        }
        return words.limits();
    }

    private static List<String> lines(Path file) {
        try {
            String text = InputFile.GATES.text(file);
            return (text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text)
                    .lines()
                    .toList();
        } catch (NoSuchFileException e) {
            throw new GateRulesException(
                    file.toString(), "there is no such file. Expected lines such as hardware.min = 40.", e);
        } catch (CharacterCodingException e) {
            throw new GateRulesException(file.toString(), "it is no text in UTF-8.", e);
        } catch (UnfitFileException e) {
            throw new GateRulesException(
                    file.toString(),
                    "it %s. Name a file of lines such as hardware.min = 40.".formatted(e.getReason()),
                    e);
        } catch (IOException e) {
            throw new GateRulesException(file.toString(), "it cannot be read: " + e, e);
        }
    }

    private static Properties property(String line, String where) {
        if (line.endsWith("\\")) {
            throw new GateRulesException(where, "it ends in \\. A gate and its value stand on one line.");
        }
        Properties property = new Properties();
        try {
            property.load(new StringReader(line));
        } catch (IOException | IllegalArgumentException e) {
            throw new GateRulesException(where, e.getMessage() + ". Expected such as hardware.min = 40.", e);
        }
        return property;
    }
}
