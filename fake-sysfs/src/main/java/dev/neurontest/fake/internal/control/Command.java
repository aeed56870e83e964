package dev.neurontest.fake.internal.control;

import dev.neurontest.fake.internal.help.HelpText;
import org.apiguardian.api.API;

/** The commands, with the usage that {@code help} and errors show. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Command {
    /** Starts a process as the runtime does. */
    INIT(
            "init P VISIBLE_CORES|all|any:N [lnc 1|2] [pid N]",
            "Starts a process that takes logical cores, as nrt_init does. Returns its pid and its cores."),
    /** Starts a process that takes cores. */
    OPEN("open P CORE [CORE ...] [pid N]", "Starts a process that opens physical cores. Returns its pid."),
    /** Counts executions. */
    EXECUTE("execute P CORE [STATUS [TIMES]]", "Counts executions, with the given status or NRT_SUCCESS."),
    /** Loads a model. */
    LOAD("load P CORE BYTES", "Loads a model of the given size. Returns the ID for the command free."),
    /** Allocates device memory. */
    ALLOC("alloc P CORE CATEGORY BYTES", "Allocates device memory. Returns the ID for the command free."),
    /** Allocates host memory. */
    ALLOC_HOST("alloc-host P CORE CATEGORY BYTES", "Allocates host memory. Returns the ID for the command free."),
    /** Frees memory. */
    FREE("free P ID", "Frees memory."),
    /** Ends a process. */
    CLOSE("close P", "Ends a process."),
    /** Kills a process. */
    KILL("kill P", "Kills a process."),
    /** Increases an ECC counter. */
    ECC("ecc DEVICE COUNTER COUNT", "Counts memory errors of a device, such as mem_uncorrected."),
    /** Sets the power of a device. */
    POWER(
            "power DEVICE PERCENT",
            "Sets the power that a device draws. utilization shows it after the next full minute."),
    /** Sets the result of the election of server numbers. */
    NODE(
            "node NUMBER of 2|4|1 | node busy | node failed",
            "Sets the number of this server in an UltraServer, or the state of the election."),
    /** Removes a device. */
    REMOVE("remove DEVICE", "Takes a device off the bus."),
    /** Restores a device. */
    RESTORE("restore DEVICE", "Puts a device back on the bus."),
    /** Unloads and loads the driver. */
    RELOAD_DRIVER(
            "reload-driver", "Reloads the driver: counters start again. Fails while a process has a device open."),
    /** Starts a fault on a file. */
    FAULT(
            "fault FILE empty|garbage TEXT|errno NAME|slow DURATION [after READS]",
            "Makes reads of a file fail, optionally after some that succeed."),
    /** Starts a hardware fault on a core. */
    HARDWARE_FAULT(
            "hardware-fault CORE sram|hbm|repairable-hbm|dma-abort",
            "Breaks the hardware of a core as during an execution: in its counters and in the kernel log."),
    /** Prints a line in the kernel log. */
    KERNEL_LOG("kernel-log TEXT", "Prints a line in the kernel log."),
    /** Ends all faults. */
    RESET_FAULTS("reset-faults", "Ends all faults."),
    /** Reads a file. */
    GET("get FILE", "Returns the content of a file, in one line."),
    /** Sets scripts for the profiler commands. */
    PROFILER(
            "profiler SCRIPT|reset|scripts|calls|help|tool NAME absent|stub|working VERSION",
            "Scripts the profiler commands; profiler help lists the scripts."),
    /** Sets scripts for models. */
    NEFF(
            "neff NAME reset|[latency=2ms|hang] [status=STATUS] [fault=FAULT] [load=STATUS] [print=\"PREFIX DTYPE SHAPE FILL\"] "
                    + "[output=\"NAME FILL\"] [times=N]",
            "Scripts the effects and prints of executions of NEFFs with this name."),
    /** Installs or removes a system tool. */
    TOOL("tool NAME absent|working VERSION", "Installs or removes neuron-ls, neuron-monitor or nccom-test."),
    /** Sets the results of the benchmark of collectives. */
    NCCOM_TEST(
            "nccom-test reset|[latency=20us] [bandwidth=GIB_PER_S] [algorithm=NAME] [failing-bytes=N] [check=passes|fails] [exit=N]",
            "Scripts the results of nccom-test: a failure at one size, or of its check, ends with the exit code."),
    /** Answers a request of a system tool. */
    SYSTEM_TOOL("system-tool VERB ...", "A request of neuron-ls, neuron-monitor or nccom-test."),
    /** Executes a request of the runtime library. */
    NRT("nrt VERB ...", "A request of the runtime library."),
    /** Starts, stops or moves the timeline of a recording. */
    TIMELINE("timeline play [SPEED]|pause|rewind|end|marks|seek MARK", "Replays the recorded changes of a host."),
    /** Shows the last executions. */
    EXECUTIONS("executions", "Shows the last executions."),
    /** Shows refused requests for a taken core. */
    REFUSALS("refusals", "Shows how often a process was refused a core of another process, and the last refusals."),
    /** Lists the commands. */
    HELP("help", "Lists the commands."),
    /** Ends the session. */
    QUIT("quit", "Ends the session.");

    private final String usage;
    private final String does;

    Command(String usage, String does) {
        this.usage = usage;
        this.does = does;
    }

    static String help() {
        HelpText help = new HelpText();
        for (Command command : values()) {
            help.add(command.usage, command.does);
        }
        return help.answer();
    }

    String usage() {
        return usage;
    }

    String word() {
        int blank = usage.indexOf(' ');
        return blank < 0 ? usage : usage.substring(0, blank);
    }

    static Command of(String word) {
        for (Command command : values()) {
            if (command.word().equals(word)) {
                return command;
            }
        }
        throw new IllegalArgumentException("unknown command " + word + "; try help");
    }
}
