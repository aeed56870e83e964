package dev.neurontest.examples.documentation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A bash that runs the shell blocks of a page in a folder, one after the other, as in one terminal. The folder is empty at first. */
final class ShellSession {

    private static final int SECONDS = 120 * Integer.getInteger("test.patience", 1);

    private static final String COMMAND = "neuron-test-extension/command/target/neuron-test";
    private static final String FAKE = "fake-sysfs/target/fake-sysfs.jar";

    private final Path folder;

    ShellSession(Path folder) {
        this.folder = folder;
    }

    /** Returns the problems of the shell blocks of the page and of their shown output. */
    List<String> problems(Page page, boolean update) throws IOException, InterruptedException {
        List<String> problems = new ArrayList<>();
        Path home = Files.createDirectories(folder.resolve("home"));
        Path records = Files.createTempDirectory(folder, "records");
        StringBuilder session = new StringBuilder("exec < /dev/null\n");
        List<Block> blocks = page.blocks();
        for (int i = 0; i < blocks.size(); i++) {
            Block block = blocks.get(i);
            for (Block.Directive directive : block.directives()) {
                if (directive.kind() == Block.Kind.SETUP) {
                    step(session, records, i + "-setup", directive.argument());
                }
            }
            if (block.language().equals("sh") && !block.has(Block.Kind.NOT_RUN)) {
                step(session, records, String.valueOf(i), block.text());
            }
        }
        session.append("kill $(jobs -p) 2> /dev/null; wait\n");
        String end = run(session, home, records);

        String lastOutput = null;
        for (int i = 0; i < blocks.size(); i++) {
            Block block = blocks.get(i);
            if (block.language().equals("sh")) {
                if (block.has(Block.Kind.NOT_RUN)) {
                    syntax(block).ifPresent(problem -> problems.add(page.at(block.line()) + problem));
                    lastOutput = null;
                } else {
                    if (Files.exists(records.resolve(i + "-setup.failures"))) {
                        problems.add(page.at(block.line()) + "the setup failed: " + read(records, i + "-setup.output"));
                    }
                    lastOutput = read(records, i + ".output");
                    String expected = block.says(Block.Kind.EXITS).orElse("0");
                    String status = read(records, i + ".status").strip();
                    String failures = read(records, i + ".failures");
                    if (!status.equals(expected)) {
                        problems.add(page.at(block.line())
                                + (status.isEmpty()
                                        ? "the session ended in or before this block: " + end
                                        : "the block ends with " + status + " instead of " + expected)
                                + "\n" + lastOutput.indent(2));
                    } else if (expected.equals("0") && !failures.isEmpty()) {
                        problems.add(page.at(block.line()) + failures + lastOutput.indent(2));
                    }
                }
            } else if (block.has(Block.Kind.OUTPUT)) {
                if (lastOutput == null) {
                    problems.add(page.at(block.line()) + "there is no shell block before it that was run");
                } else if (!Shown.matches(block.content(), lastOutput)) {
                    List<String> printed = Shown.trimmed(lastOutput.lines().toList());
                    if (update) {
                        page.replace(block, Shown.merged(block.content(), printed));
                        blocks = page.blocks();
                    } else {
                        problems.add(page.at(block.line()) + PageCheck.difference(block, printed) + "\n  printed:\n"
                                + String.join("\n", printed).indent(4));
                    }
                }
            }
        }
        return problems;
    }

    /** Appends a block to the session, which keeps the variables, folder and background jobs of earlier blocks. */
    private static void step(StringBuilder session, Path records, String name, String commands) throws IOException {
        Path script = records.resolve(name + ".sh");
        Files.writeString(script, commands + "\n");
        session.append("""
                trap 'echo "a command of the block failed with $?: $BASH_COMMAND" >> %1$s.failures' ERR
                source %1$s.sh > %1$s.output 2>&1
                echo $? > %1$s.status
                trap - ERR
                """.formatted(records.resolve(name)));
    }

    private String run(CharSequence session, Path home, Path records) throws IOException, InterruptedException {
        Path bin = Files.createTempDirectory(folder, "bin");
        Files.createSymbolicLink(bin.resolve("neuron-test"), built(COMMAND));
        Path fake = Files.writeString(
                bin.resolve("fake-sysfs"),
                "#!/bin/sh\nexec \"$JAVA_HOME/bin/java\" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar '" + built(FAKE)
                        + "' \"$@\"\n");
        Files.setPosixFilePermissions(fake, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path script = Files.writeString(records.resolve("session.sh"), session);
        ProcessBuilder builder = new ProcessBuilder("bash", script.toString())
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(records.resolve("session.output").toFile());
        Map<String, String> environment = builder.environment();
        String path = environment.get("PATH");
        environment.clear();
        environment.put("PATH", bin + ":" + System.getProperty("java.home") + "/bin:" + path);
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("HOME", home.toString());
        environment.put("LANG", "C.UTF-8");
        environment.put("CHECKOUT", Repository.ROOT.toString());
        Process process = builder.start();
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            return "it took longer than " + SECONDS + " s";
        }
        return read(records, "session.output");
    }

    private static Path built(String path) {
        Path file = Repository.ROOT.resolve(path);
        if (!Files.exists(file)) {
            throw new IllegalStateException("There is no " + file + ": run mvn package first.");
        }
        return file;
    }

    private static Optional<String> syntax(Block block) throws IOException, InterruptedException {
        Process bash =
                new ProcessBuilder("bash", "-n").redirectErrorStream(true).start();
        try (var input = bash.outputWriter()) {
            input.write(block.text() + "\n");
        }
        String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return bash.waitFor() == 0 ? Optional.empty() : Optional.of("bash cannot read the block: " + said);
    }

    private static String read(Path records, String name) throws IOException {
        Path file = records.resolve(name);
        return Files.exists(file) ? Files.readString(file) : "";
    }
}
