package dev.neurontest.fake.internal.profiler.view;

import static dev.neurontest.fake.internal.tool.GoFlags.flag;
import static dev.neurontest.fake.internal.tool.GoFlags.text;

import dev.neurontest.fake.internal.profiler.call.Invocation;
import dev.neurontest.fake.internal.tool.GoFlags;
import dev.neurontest.fake.internal.tool.ToolFailure;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The command {@code upload}. It adds a profile to those of a running {@code view} of this machine. The messages to a genuine server are
 * not known, so this command writes the tables into the folder of the server.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class UploadCommand {

    /** The options of {@code upload}. */
    public static final GoFlags.Flag[] FLAGS = {
        text(0, "endpoint").does("The server; http://localhost:3002 unless it is given."),
        text(0, "neff").does("The compiled model."),
        text(0, "ntff").does("The trace (NTFF) of it."),
        text(0, "profile-directory").does("A folder with the traces of a run."),
        text(0, "name").does("The name of the profile."),
        text(0, Ingestion.NAMESPACE).does("The group of the profile; global unless it is given."),
        text(0, "uploader"),
        text(0, "source-code"),
        flag("overwrite").does("Overwrites a profile of that name."),
        flag("wait"),
    };

    private static final int TIMEOUT_MILLISECONDS = 60_000;

    private UploadCommand() {}

    /**
     * Runs the command.
     *
     * @param invocation the invocation
     * @param arguments the arguments after the name of the command
     * @return the exit code
     * @throws ToolFailure if the command ends early
     * @throws IOException if a file cannot be read or written
     */
    public static int run(Invocation invocation, List<String> arguments) throws ToolFailure, IOException {
        GoFlags flags = GoFlags.parse(FLAGS, arguments);
        if (!flags.has("profile-directory") && !(flags.has("neff") && flags.has("ntff"))) {
            throw invocation.refuse("nothing to upload: name --neff and --ntff, or --profile-directory");
        }
        List<String> view = new ArrayList<>(List.of(
                "--ingest-only",
                "--data-path=" + store(invocation, flags.get("endpoint", "http://localhost:" + ViewServer.API_PORT))));
        copy(flags, "neff", view, "neff-path");
        copy(flags, "ntff", view, "session-file");
        copy(flags, "profile-directory", view, "session-dir");
        copy(flags, "name", view, "display-name");
        copy(flags, Ingestion.NAMESPACE, view, Ingestion.NAMESPACE);
        if (flags.has("overwrite")) {
            view.add("--force");
        }
        GoFlags.Flag[] known = Stream.concat(Stream.of(ViewCommand.FLAGS), Stream.of(text(0, Ingestion.NAMESPACE)))
                .toArray(GoFlags.Flag[]::new);
        try {
            return ViewCommand.run(invocation, GoFlags.parse(known, view));
        } catch (ToolFailure rejected) {
            invocation.err().println(rejected.message());
            throw new ToolFailure("Failed to upload NTFF (HTTP 400)");
        }
    }

    private static void copy(GoFlags from, String name, List<String> to, String viewName) {
        if (from.has(name)) {
            to.add("--" + viewName + '=' + from.get(name, ""));
        }
    }

    /** Returns the folder of the profiles of a server. */
    private static String store(Invocation invocation, String endpoint) throws ToolFailure {
        try {
            if (!(URI.create(endpoint + ViewServer.STORE).toURL().openConnection()
                    instanceof HttpURLConnection server)) {
                throw invocation.refuse("--endpoint must begin with http://, not \"" + endpoint + '"');
            }
            server.setConnectTimeout(TIMEOUT_MILLISECONDS);
            server.setReadTimeout(TIMEOUT_MILLISECONDS);
            try (InputStream answer = server.getInputStream()) {
                return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException | IllegalArgumentException failed) {
            throw invocation.refuse("no neuron-explorer view of fake-sysfs answers at " + endpoint + ": "
                    + failed.getMessage() + ". Start it first, or name its --endpoint");
        }
    }
}
