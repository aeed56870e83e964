package dev.neurontest.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The compiler of the programs in C. */
final class Gcc {

    private Gcc() {}

    /**
     * Compiles one file.
     *
     * @param sources the folder of {@code c}, which contains the file
     * @param name of the program and, with {@code .c}, of the file
     * @param folder of the program
     * @param options such as libraries
     * @return the program
     * @throws IOException when there is no compiler, or it refuses the file
     */
    static Path compile(Path sources, String name, Path folder, String... options)
            throws IOException, InterruptedException {
        Path program = folder.resolve(name);
        List<String> command = new ArrayList<>(List.of("gcc", "-O2", "-o", program.toString()));
        command.add(sources.resolve("c/" + name + ".c").toString());
        command.addAll(List.of(options));
        if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
            throw new IOException(name + ".c cannot be compiled; what gcc said is above");
        }
        return program;
    }
}
