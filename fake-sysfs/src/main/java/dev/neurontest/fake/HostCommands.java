package dev.neurontest.fake;

import dev.neurontest.fake.internal.control.Command;
import dev.neurontest.fake.internal.control.CommandSession;
import dev.neurontest.fake.internal.control.CommandWords;
import dev.neurontest.fake.internal.control.Commands;
import dev.neurontest.fake.internal.driver.instance.NearNames;
import dev.neurontest.fake.internal.systemtool.CollectivesBenchmark;
import dev.neurontest.fake.internal.systemtool.SystemToolWords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** The commands of a session. Its processes have their own names and end with it. */
final class HostCommands implements Commands {

    private static final int LONGEST_NAME = 64;
    private static final int LAST_LINES = 5;

    private final FakeNeuronHost host;
    private final Map<String, FakeProcess> processes = new HashMap<>();
    private final Map<String, Allocation> allocations = new HashMap<>();
    private final RuntimeWords runtime;
    private final SystemToolWords systemTools;
    private long lastAllocation;

    private record Allocation(String process, FakeAllocation memory) {}

    HostCommands(FakeNeuronHost host) {
        this.host = host;
        this.runtime = new RuntimeWords(host.runtime(), processes);
        this.systemTools = host.systemToolWords();
    }

    @Override
    public void awaitPublished() {
        host.awaitPublished();
    }

    /** Kills the running processes, as the kernel does at the end of a program. */
    @Override
    public void close() {
        processes.values().forEach(FakeProcess::kill);
        processes.clear();
        allocations.clear();
        systemTools.close();
    }

    @Override
    public String carryOut(Command command, CommandWords words) throws IOException {
        return switch (command) {
            case INIT -> init(words);
            case OPEN -> open(words);
            case LOAD -> load(words);
            case ALLOC -> allocate(words, FakeProcess::allocate);
            case ALLOC_HOST -> allocate(words, FakeProcess::allocateHost);
            case GET -> {
                byte[] content = host.tree().read(host.place(words.last(file(words))));
                yield CommandSession.escaped(new String(content, StandardCharsets.UTF_8));
            }
            case PROFILER -> ProfilerWords.carryOut(host.profiler(), words);
            case NEFF -> NeffWords.carryOut(host.runtime(), words);
            case NRT -> runtime.carryOut(words);
            case SYSTEM_TOOL -> systemTools.carryOut(words);
            case TIMELINE -> timeline(words);
            case EXECUTIONS -> last(words.last(host.runtime()).executions());
            case REFUSALS -> refusals(words);
            default -> {
                act(command, words);
                yield "";
            }
        };
    }

    private void act(Command command, CommandWords words) {
        switch (command) {
            case EXECUTE -> execute(words);
            case FREE -> free(words);
            case CLOSE -> end(words).close();
            case KILL -> end(words).kill();
            case ECC -> device(words).ecc(words.next("the ECC counter"), words.last(words.nextNumber("the count")));
            case POWER -> device(words).drawPower(words.last(words.nextDecimal("the percentage")));
            case NODE -> node(words);
            case REMOVE -> words.last(device(words)).remove();
            case RESTORE -> words.last(device(words)).restore();
            case RELOAD_DRIVER -> words.last(host).reloadDriver();
            case FAULT -> fault(words);
            case HARDWARE_FAULT -> hardwareFault(words);
            case NCCOM_TEST -> nccomTest(words);
            case TOOL -> host.systemTools().tool(words.next("the name of the tool"), words.rest());
            case KERNEL_LOG -> host.fault(Fault.kernelLog(words.rest()));
            case RESET_FAULTS -> words.last(host).resetAll();
            default -> throw new IllegalArgumentException("the session itself carries out " + command);
        }
    }

    private void nccomTest(CommandWords words) {
        List<String> settings = List.of(words.rest().split(" "));
        if (settings.equals(List.of("reset"))) {
            host.systemTools().resetNccomTest();
            return;
        }
        CollectivesBenchmark changed = host.systemTools().collectives();
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            if (equals < 1) {
                throw words.wrong("\"" + setting + "\" is not a setting with its value");
            }
            changed = changed.with(setting.substring(0, equals), setting.substring(equals + 1));
        }
        host.systemTools().collectives(changed);
    }

    private String timeline(CommandWords words) {
        FakeTimeline timeline = host.timeline();
        String action = words.next("the action");
        switch (action) {
            case "play" -> timeline.play(words.hasMore() ? words.nextDecimal("the speed") : 1);
            case "pause" -> timeline.pause();
            case "rewind" -> timeline.rewind();
            case "end" -> timeline.end();
            case "seek" -> timeline.seek(words.rest());
            case "marks" -> {
                words.end();
                return CommandSession.escaped(String.join(", ", timeline.marks()));
            }
            default -> throw words.wrong("unknown action " + action);
        }
        words.end();
        return "at " + timeline.position().toMillis() + " of "
                + timeline.length().toMillis() + " ms";
    }

    private String init(CommandWords words) {
        String name = newName(words);
        FakeProcess.Builder process = host.process(name);
        String visibleCores = words.next("the list of visible cores");
        while (words.hasMore()) {
            String option = words.next("the option");
            switch (option) {
                case "lnc" -> process.logicalCoreSize(words.nextInt("the physical cores of a logical core"));
                case "pid" -> process.pid(words.nextNumber("the process id"));
                default -> throw words.wrong("unknown option " + option);
            }
        }
        FakeProcess started = process.init(visibleCores);
        processes.put(name, started);
        return "pid " + started.pid() + " cores "
                + started.cores().stream().map(FakeCore::toString).collect(Collectors.joining(" "));
    }

    private String open(CommandWords words) {
        String name = newName(words);
        FakeProcess.Builder process = host.process(name);
        List<FakeCore> cores = new ArrayList<>();
        do {
            String word = words.next("the core");
            if (word.equals("pid") && !cores.isEmpty()) {
                process.pid(words.nextNumber("the process id"));
                words.end();
            } else {
                cores.add(host.core(word));
            }
        } while (words.hasMore());
        FakeProcess started = process.open(cores);
        processes.put(name, started);
        return "pid " + started.pid();
    }

    private String newName(CommandWords words) {
        String name = words.next("the name of the process");
        if (name.length() > LONGEST_NAME) {
            throw words.wrong("the name of a process has at most " + LONGEST_NAME + " characters");
        }
        if (processes.containsKey(name)) {
            throw words.wrong("process " + name + " is already open");
        }
        return name;
    }

    private String refusals(CommandWords words) {
        words.end();
        return (host.refusalCount() + " | " + last(host.refusals())).replaceFirst(" \\| $", "");
    }

    private static String last(List<String> all) {
        return String.join(" | ", all.subList(Math.max(0, all.size() - LAST_LINES), all.size()));
    }

    private void execute(CommandWords words) {
        FakeProcess process = process(words);
        FakeCore core = core(words);
        NrtStatus status = words.hasMore() ? NrtStatus.of(words.next("the status")) : NrtStatus.of(0);
        long times = words.hasMore() ? words.nextNumber("the number of executions") : 1;
        process.execute(core, status, words.last(times));
    }

    private String load(CommandWords words) {
        String name = words.next("the name of the process");
        FakeProcess process = process(name, words);
        return keep(name, process.load(core(words), words.last(words.nextNumber("the size in bytes"))));
    }

    private interface Memory {
        FakeAllocation of(FakeProcess process, FakeCore core, String category, long bytes);
    }

    private String allocate(CommandWords words, Memory memory) {
        String name = words.next("the name of the process");
        FakeProcess process = process(name, words);
        FakeCore core = core(words);
        String category = words.next("the category");
        return keep(name, memory.of(process, core, category, words.last(words.nextNumber("the size in bytes"))));
    }

    private String keep(String process, FakeAllocation memory) {
        String id = Long.toString(++lastAllocation);
        allocations.put(id, new Allocation(process, memory));
        return id;
    }

    private void free(CommandWords words) {
        String name = words.next("the name of the process");
        FakeProcess process = process(name, words);
        String id = words.last(words.next("the id of the allocation"));
        Allocation allocation = allocations.get(id);
        if (allocation == null || !allocation.process().equals(name)) {
            throw words.wrong("process " + name + " has no allocation " + id);
        }
        process.free(allocation.memory());
        allocations.remove(id);
    }

    private FakeProcess end(CommandWords words) {
        String name = words.next("the name of the process");
        FakeProcess process = process(name, words);
        words.end();
        processes.remove(name);
        runtime.forget(name);
        allocations.values().removeIf(allocation -> allocation.process().equals(name));
        return process;
    }

    private void node(CommandWords words) {
        String number = words.next("the number of the server");
        switch (number) {
            case "busy" -> words.last(host).runElection();
            case "failed" -> words.last(host).failElection();
            default -> {
                if (!number.matches("[0-9]{1,4}") || !words.next("\"of\"").equals("of")) {
                    throw words.wrong(number + " is not the number of a server");
                }
                host.elect(Integer.parseInt(number), words.last(words.nextInt("the number of servers")));
            }
        }
    }

    private void fault(CommandWords words) {
        String file = file(words);
        String kind = words.next("the kind of fault");
        OptionalInt after = words.takeAfter();
        Fault fault = switch (kind) {
            case "empty" -> Fault.empty(file);
            case "garbage" -> Fault.garbage(file, words.rest().replace("\\n", "\n"));
            case "errno" ->
                Fault.errno(
                        file, NearNames.named("error", words.next("the name of the error"), List.of(Errno.values())));
            case "slow" -> Fault.slow(file, words.nextDuration("the delay"));
            default -> throw words.wrong("unknown kind of fault " + kind);
        };
        words.end();
        host.fault(after.isPresent() ? fault.afterReads(after.getAsInt()) : fault);
    }

    private void hardwareFault(CommandWords words) {
        FakeCore core = core(words);
        core.fault(Fault.of(ExecutionFault.of(words.last(words.next("the kind of fault")))));
    }

    private FakeProcess process(CommandWords words) {
        return process(words.next("the name of the process"), words);
    }

    private FakeProcess process(String name, CommandWords words) {
        FakeProcess process = processes.get(name);
        if (process == null) {
            throw words.wrong("this session has no process " + name);
        }
        return process;
    }

    private FakeDevice device(CommandWords words) {
        return host.device(words.next("the device"));
    }

    private FakeCore core(CommandWords words) {
        return host.core(words.next("the core"));
    }

    /**
     * Reads a path in one of two forms: {@code sys/...} or {@code /sys/...} as the host names it, or the path of a file below the host's
     * root.
     */
    private String file(CommandWords words) {
        String file = words.next("the file");
        if (file.startsWith("/") && !file.startsWith("/sys/")) {
            String root = host.directory() + "/";
            return file.startsWith(root) ? file.substring(root.length()) : file.substring(1);
        }
        return file.startsWith("/") ? file.substring(1) : file;
    }
}
