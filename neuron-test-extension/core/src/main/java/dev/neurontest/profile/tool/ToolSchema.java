package dev.neurontest.profile.tool;

import dev.neurontest.process.ChildEnd;
import dev.neurontest.process.ProgramNotStartedException;
import dev.neurontest.profile.table.TableSchema;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;

/** The tables that installed tools write, asked once for each in a JVM. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ToolSchema {

    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(30);

    private static final String QUESTION = "--show-profile-schema";

    private static final Map<ProfilerTool, Optional<TableSchema>> ASKED = new ConcurrentHashMap<>();

    private ToolSchema() {}

    /**
     * Asks a tool.
     *
     * @param tool which one
     * @param environment what the platform wants its programs to know
     * @return empty when it does not tell, as older ones do not
     */
    public static Optional<TableSchema> of(ProfilerTool tool, Map<String, String> environment) {
        return ASKED.computeIfAbsent(tool, asked -> ask(asked, environment));
    }

    private static Optional<TableSchema> ask(ProfilerTool tool, Map<String, String> environment) {
        if (tool.generation() != ProfilerTool.Generation.EXPLORER) {
            return Optional.empty();
        }
        List<String> ofView = List.of("view", QUESTION);
        List<String> ofTheTool = List.of(QUESTION);
        boolean movedToView = tool.major() > 2 || tool.major() == 2 && tool.minor() >= 33;
        for (List<String> question : movedToView ? List.of(ofView, ofTheTool) : List.of(ofTheTool, ofView)) {
            try {
                ToolCall answer = ToolCall.of(
                                tool.path(),
                                question,
                                ToolCall.environment(
                                        Optional.empty(),
                                        environment,
                                        tool.path().getRoot()))
                        .deadline(ANSWERS_WITHIN)
                        .run();
                Optional<TableSchema> schema =
                        answer.succeeded() ? TableSchema.read(answer.stdout()) : Optional.empty();
                if (schema.isPresent() || answer.end().cause() != ChildEnd.Cause.EXITED) {
                    return schema;
                }
            } catch (ProgramNotStartedException gone) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }
}
