package dev.neurontest.fake.internal.control;

import dev.neurontest.fake.internal.help.HelpText;
import org.apiguardian.api.API;

/** The commands, with the usage that {@code help} and errors show. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Command {
    /** Starts a process as the runtime does. */
    INIT(
            "init P VISIBLE_CORES|all|any:N [lnc 1|2] [pid N]",
            "Starts a process that takes logical cores, as nrt_init does. Answers its pid and its cores."),
    /** Starts a process that takes cores. */
    OPEN("open P CORE [CORE ...] [pid N]", "Starts a process that opens physical cores. Answers its pid."),
    /** Counts executions. */
    EXECUTE("execute P CORE [STATUS [TIMES]]", "Counts executions, with a status if one is named."),
    /** Loads a model. */
    LOAD("load P CORE BYTES", "Loads a model of so many bytes. Answers the ID that free takes."),
    /** Allocates device memory. */
    ALLOC("alloc P CORE CATEGORY BYTES", "Takes device memory. Answers the ID that free takes."),
    /** Allocates host memory. */
    ALLOC_HOST("alloc-host P CORE CATEGORY BYTES", "Takes host memory. Answers the ID that free takes."),
    /** Frees memory. */
    FREE("free P ID", "Gives memory back."),
    /** Ends a process. */
    CLOSE("close P", "Ends a process."),
    /** Kills a process. */
    KILL("kill P", "Kills a process."),
    /** Increases an ECC counter. */
    ECC("ecc DEVICE COUNTER COUNT", "Counts memory errors of a device, such as mem_uncorrected."),
    /** Sets the power of a device. */
    POWER("power DEVICE PERCENT", "Sets what a device draws. utilization shows it after the next full minute."),
    /** Sets the result of the election of server numbers. */
    NODE(
            "node NUMBER of 2|4|1 | node busy | node failed",
            "Sets which server of an UltraServer this is, or what became of the election."),
    /** Removes a device. */
    REMOVE("remove DEVICE", "Takes a device off the bus."),
    /** Restores a device. */
    RESTORE("restore DEVICE", "Puts a device back."),
    /** Unloads and loads the driver. */
    RELOAD_DRIVER(
            "reload-driver",
            "Loads the driver anew: counters begin again. Ends with an error while a process has a device open."),
    /** Starts a fault on a file. */
    FAULT(
            "fault FILE empty|garbage TEXT|errno NAME|slow DURATION [after READS]",
            "Lets reads of a file fail, maybe after some that succeed."),
    /** Starts a hardware fault on a core. */
    HARDWARE_FAULT(
            "hardware-fault CORE sram|hbm|repairable-hbm|dma-abort",
            "Breaks the hardware of a core as under a program: in its counters and in the kernel log."),
    /** Prints a line in the kernel log. */
    KERNEL_LOG("kernel-log TEXT", "Prints a line in the kernel log."),
    /** Ends all faults. */
    RESET_FAULTS("reset-faults", "Ends all faults."),
    /** Reads a file. */
    GET("get FILE", "Answers what a file holds, in one line."),
    /** Sets scripts for the profiler commands. */
    PROFILER(
            "profiler SCRIPT|reset|scripts|calls|help|tool NAME absent|stub|working VERSION",
            "Says what the profiler commands do; profiler help lists the scripts."),
    /** Sets scripts for models. */
    NEFF(
            "neff NAME reset|[latency=2ms|hang] [status=STATUS] [fault=FAULT] [load=STATUS] [print=\"PREFIX DTYPE SHAPE FILL\"] "
                    + "[output=\"NAME FILL\"] [times=N]",
            "Says what an execution of the NEFF of this name does and prints."),
    /** Executes a request of the runtime library. */
    NRT("nrt VERB ...", "Is what the runtime library says."),
    /** Starts, stops or moves the timeline of a recording. */
    TIMELINE(
            "timeline play [SPEED]|pause|rewind|end|marks|seek MARK",
            "Plays what a recording has of the time after its beginning."),
    /** Shows the last executions. */
    EXECUTIONS("executions", "Shows the last executions."),
    /** Shows refused requests for a taken core. */
    REFUSALS("refusals", "Shows how often a process was refused a core that another has, and the last such processes."),
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
