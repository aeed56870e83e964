package dev.neurontest.internal.evidence;

import dev.neurontest.internal.text.InstantText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The id of the run that this JVM is part of. All JVMs of a build or of a run of a CI server have the same id. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RunName {

    /**
     * The environment variables with the id of a run, as documented by CI servers.
     *
     * @param marker a variable that only this server sets
     * @param id the variable with the id that all jobs of a run share
     * @param name the name of such a run
     */
    private record Server(String marker, String id, String name) {}

    private static final List<Server> SERVERS = List.of(
            new Server("GITHUB_ACTIONS", "GITHUB_RUN_ID", "GitHub run"),
            new Server("GITLAB_CI", "CI_PIPELINE_ID", "GitLab pipeline"),
            new Server("JENKINS_URL", "BUILD_TAG", "Jenkins build"),
            new Server("TF_BUILD", "BUILD_BUILDID", "Azure build"),
            new Server("SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_JOB_ID", "Slurm job"),
            new Server("SLURM_JOB_ID", "SLURM_JOB_ID", "Slurm job"));

    private static final String WINDOWS_SHELL = "cmd.exe";

    /** The option of shells before a command, such as {@code -c} and {@code -lc}. */
    private static final Pattern COMMAND = Pattern.compile("-[A-Za-z]*c[A-Za-z]*");

    private RunName() {}

    /**
     * Creates the event with the run of this JVM.
     *
     * @param setting the value of {@code neuron.test.run}; empty for {@code auto}
     * @return the id from the settings, from the CI server, or from the process that started this JVM, in this order
     */
    public static RunEvent.PartOfRun of(Optional<String> setting) {
        return of(setting, System.getenv(), ProcessHandle.current());
    }

    static RunEvent.PartOfRun of(Optional<String> setting, Map<String, String> environment, ProcessHandle jvm) {
        @Nullable String run = setting.isPresent() ? setting.get() : server(environment);
        return run == null ? new RunEvent.PartOfRun(process(starter(jvm)), false) : new RunEvent.PartOfRun(run, true);
    }

    /** Returns whether a running process is this JVM, or another JVM that the same build started. */
    public static boolean isOfThisBuild(long process) {
        ProcessHandle self = ProcessHandle.current();
        return process == self.pid()
                || ProcessHandle.of(process)
                        .filter(other ->
                                !starter(self).equals(self) && starter(other).equals(starter(self)))
                        .isPresent();
    }

    private static @Nullable String server(Map<String, String> environment) {
        for (Server server : SERVERS) {
            if (environment.containsKey(server.marker())
                    && !environment.getOrDefault(server.id(), "").isBlank()) {
                return server.name() + " " + environment.get(server.id());
            }
        }
        return null;
    }

    /**
     * Returns the parent process. If that is only the shell in which Surefire starts a fork, returns its parent. A shell that
     * runs a script is the build itself. An interactive shell outlives its builds, so in that case the JVM counts as its own
     * build.
     */
    private static ProcessHandle starter(ProcessHandle jvm) {
        ProcessHandle parent = jvm.parent().orElse(jvm);
        if (!isNamed(parent, "sh", "busybox", WINDOWS_SHELL)) {
            return parent;
        }
        ProcessHandle above = parent.parent().orElse(parent);
        if (isNamed(parent, WINDOWS_SHELL)) {
            return above;
        }
        List<String> arguments = List.of(parent.info().arguments().orElse(new String[0]));
        int options = 0;
        boolean hasCommand = false;
        while (options < arguments.size() && arguments.get(options).startsWith("-")) {
            hasCommand |= COMMAND.matcher(arguments.get(options)).matches();
            options++;
        }
        if (hasCommand) {
            return isNamed(above, "java") ? above : parent;
        }
        return options == arguments.size() ? jvm : parent;
    }

    private static boolean isNamed(ProcessHandle process, String... ends) {
        String command = process.info().command().orElse("");
        for (String end : ends) {
            if (command.endsWith(end)) {
                return true;
            }
        }
        return false;
    }

    private static String process(ProcessHandle process) {
        @Nullable Instant started = process.info().startInstant().orElse(null);
        Optional<String> machine = Machine.name();
        return "process " + process.pid()
                + (started == null ? "" : " since " + InstantText.of(started))
                + (machine.isPresent() ? " on " + machine.get() : "");
    }
}
