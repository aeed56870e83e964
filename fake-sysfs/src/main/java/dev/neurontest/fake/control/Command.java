package dev.neurontest.fake.control;

import org.apiguardian.api.API;

/** The commands, with the usage that {@code help} and errors show. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Command {
    /** Starts a process as the runtime does. */
    INIT("init P VISIBLE_CORES|all|any:N [lnc 1|2] [pid N]"),
    /** Starts a process that takes cores. */
    OPEN("open P CORE [CORE ...] [pid N]"),
    /** Counts executions. */
    EXECUTE("execute P CORE [STATUS [TIMES]]"),
    /** Loads a model. */
    LOAD("load P CORE BYTES"),
    /** Takes device memory. */
    ALLOC("alloc P CORE CATEGORY BYTES"),
    /** Takes host memory. */
    ALLOC_HOST("alloc-host P CORE CATEGORY BYTES"),
    /** Gives memory back. */
    FREE("free P ID"),
    /** Ends a process. */
    CLOSE("close P"),
    /** Kills a process. */
    KILL("kill P"),
    /** Raises an ECC counter. */
    ECC("ecc DEVICE COUNTER COUNT"),
    /** Sets the power that is drawn. */
    POWER("power DEVICE PERCENT"),
    /** Sets what the servers have elected. */
    NODE("node NUMBER of 2|4|1 | node busy | node failed"),
    /** Takes a device away. */
    REMOVE("remove DEVICE"),
    /** Brings a device back. */
    RESTORE("restore DEVICE"),
    /** Lets a file fail. */
    FAULT("fault FILE empty|garbage TEXT|errno NAME|slow DURATION [after READS]"),
    /** Ends all faults. */
    RESET_FAULTS("reset-faults"),
    /** Reads a file. */
    GET("get FILE"),
    /** Scripts the profiler commands. */
    PROFILER("profiler SCRIPT|reset|scripts|calls|help|tool NAME absent|stub|working VERSION"),
    /** Scripts models. */
    NEFF("neff NAME reset|[latency=2ms|hang] [status=STATUS] [load=STATUS] [print=\"PREFIX DTYPE SHAPE FILL\"] "
            + "[output=\"NAME FILL\"] [times=N]"),
    /** What the runtime library says. */
    NRT("nrt VERB ..., which the runtime library says"),
    /** Plays a recording. */
    TIMELINE("timeline play [SPEED]|pause|rewind|end|marks|seek MARK"),
    /** Shows the last executions. */
    EXECUTIONS("executions"),
    /** Shows who wanted a core that was taken. */
    REFUSALS("refusals"),
    /** Lists the commands. */
    HELP("help"),
    /** Ends the session. */
    QUIT("quit");

    private final String usage;

    Command(String usage) {
        this.usage = usage;
    }

    String usage() {
        return usage;
    }

    String word() {
        int blank = usage.indexOf(' ');
        return blank < 0 ? usage : usage.substring(0, blank);
    }

    static Command of(String word) throws CommandException {
        for (Command command : values()) {
            if (command.word().equals(word)) {
                return command;
            }
        }
        throw new CommandException("unknown command " + word + "; try help");
    }
}
