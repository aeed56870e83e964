package dev.neurontest.fake.control;

/** The commands, with the usage that {@code help} and errors show. */
enum Command {
    INIT("init P VISIBLE_CORES|all|any:N [lnc 1|2] [pid N]"),
    OPEN("open P CORE [CORE ...] [pid N]"),
    EXECUTE("execute P CORE [STATUS [TIMES]]"),
    LOAD("load P CORE BYTES"),
    ALLOC("alloc P CORE CATEGORY BYTES"),
    ALLOC_HOST("alloc-host P CORE CATEGORY BYTES"),
    FREE("free P ID"),
    CLOSE("close P"),
    KILL("kill P"),
    ECC("ecc DEVICE COUNTER COUNT"),
    POWER("power DEVICE PERCENT"),
    NODE("node NUMBER of 2|4|1 | node busy | node failed"),
    REMOVE("remove DEVICE"),
    RESTORE("restore DEVICE"),
    FAULT("fault FILE empty|garbage TEXT|errno NAME|slow DURATION [after READS]"),
    RESET_FAULTS("reset-faults"),
    GET("get FILE"),
    PROFILER("profiler SCRIPT|reset|scripts|calls|help|tool NAME absent|stub|working VERSION"),
    NEFF("neff NAME reset|[latency=2ms|hang] [status=STATUS] [load=STATUS] [print=\"PREFIX DTYPE SHAPE FILL\"] "
            + "[output=\"NAME FILL\"] [times=N]"),
    NRT("nrt VERB ..., which the runtime library says"),
    TIMELINE("timeline play [SPEED]|pause|rewind|end|marks|seek MARK"),
    EXECUTIONS("executions"),
    REFUSALS("refusals"),
    HELP("help"),
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
