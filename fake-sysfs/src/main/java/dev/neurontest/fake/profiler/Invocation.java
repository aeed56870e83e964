package dev.neurontest.fake.profiler;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One run of a command.
 *
 * @param release which command it is
 * @param root the root of its host
 * @param arguments the words after the name of the command
 * @param environment its environment variables
 * @param directory its working directory
 * @param out its standard output
 * @param err its standard error
 */
record Invocation(
        Release release,
        Path root,
        List<String> arguments,
        Map<String, String> environment,
        Path directory,
        PrintStream out,
        PrintStream err) {

    Path path(String name) {
        return directory.resolve(name);
    }

    String variable(String name) {
        return environment.getOrDefault(name, "");
    }

    /** A line as the tools themselves log. */
    void log(String level, String text, String... fields) {
        StringBuilder line = new StringBuilder(level).append("[0000] ").append(text);
        if (fields.length > 0) {
            line.append(" ".repeat(Math.max(0, 44 - text.length()))).append(' ');
        }
        for (String field : fields) {
            line.append(' ').append(field);
        }
        err.println(line);
    }

    ToolFailure refuse(String text) {
        log("ERRO", text);
        return new ToolFailure(release.tool() + " exited with an error." + release.tool() + ' ' + release.version());
    }
}
