package dev.neurontest.profile.capture;

import dev.neurontest.file.InputFile;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Inputs of several workers: a line for each with names and files in turn. The tool works in a folder of its own, so that files
 * are told to it by their whole path.
 *
 * @param lines as the tool gets them
 */
record InputsByRank(List<String> lines) {

    /**
     * Reads a file, and looks whether everything that it names is there.
     *
     * @throws IllegalArgumentException when something is not, or the lines do not fit the workers
     */
    static InputsByRank read(Path file, Optional<Collectives> collectives) {
        NeffCapture.checkFile("inputs by rank", file);
        List<String> read;
        try {
            read = InputFile.INPUTS
                    .text(file)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .toList();
        } catch (MalformedInputException e) {
            throw new IllegalArgumentException(
                    "%s is no text in UTF-8. Write a line of names and files for each worker.".formatted(file), e);
        } catch (IOException e) {
            throw new IllegalArgumentException("%s cannot be read: %s".formatted(file, e), e);
        }
        collectives.ifPresent(workers -> {
            if (workers.workersPerNode() != read.size()) {
                throw new IllegalArgumentException("%s has %s lines, one for each worker, but there are %s workers."
                        .formatted(file, read.size(), workers.workersPerNode()));
            }
        });
        List<String> lines = new ArrayList<>();
        for (String line : read) {
            lines.add(absolute(line, file));
        }
        return new InputsByRank(List.copyOf(lines));
    }

    private static String absolute(String line, Path file) {
        List<String> words = new ArrayList<>(List.of(line.strip().split("\\s+")));
        if (words.size() % 2 != 0) {
            throw new IllegalArgumentException(
                    "A line of %s is no pairs of name and file: \"%s\". Neither may have spaces in it."
                            .formatted(file, line));
        }
        for (int at = 1; at < words.size(); at += 2) {
            Path input = file.resolveSibling(words.get(at)).toAbsolutePath();
            NeffCapture.checkFile("input \"%s\" in %s".formatted(words.get(at - 1), file), input);
            if (input.toString().chars().anyMatch(Character::isWhitespace)) {
                throw new IllegalArgumentException(
                        "%s has spaces in its path, which %s cannot say. Put it elsewhere.".formatted(input, file));
            }
            words.set(at, input.toString());
        }
        return words.stream().collect(Collectors.joining(" "));
    }
}
