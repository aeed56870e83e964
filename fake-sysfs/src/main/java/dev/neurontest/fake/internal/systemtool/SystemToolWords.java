package dev.neurontest.fake.internal.systemtool;

import dev.neurontest.fake.internal.control.CommandWords;
import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.systemtool.ListedDevice.ListedProcess;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Parser of the requests of a system tool, one line each. The monitor that a session starts ends with it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SystemToolWords implements AutoCloseable {

    private final SystemTools tools;
    private @Nullable Monitor monitor;
    private @Nullable ListedProcess listed;

    /** Creates the parser of a session. */
    public SystemToolWords(SystemTools tools) {
        this.tools = tools;
    }

    /**
     * Executes a request.
     *
     * @param words the words after the name of the command
     * @return the answer
     * @throws IOException if a number of the machine cannot be read
     */
    public String carryOut(CommandWords words) throws IOException {
        String verb = words.next("the verb");
        return switch (verb) {
            case "list" -> list(words);
            case "devices" -> tools.devices().stream().anyMatch(Device::present) ? "some" : "none";
            case "nccom" -> tools.collectives().words();
            case "monitor" -> {
                start(words);
                yield "";
            }
            case "next" -> {
                Monitor started = monitor;
                if (started == null) {
                    throw words.wrong("this session has no monitor");
                }
                words.end();
                long wait = started.untilNext();
                yield wait > 0 ? "wait " + wait : started.report();
            }
            default -> throw words.wrong("unknown verb " + verb);
        };
    }

    private String list(CommandWords words) {
        int minor = words.nextInt("the version");
        String format = words.next("the format");
        int logicalCoreSize = words.nextInt("the size of a logical core");
        boolean wide = words.next("wide or not").equals("wide");
        List<ListedProcess> others = words.hasMore() ? List.of(program(words)) : List.of();
        words.end();
        return inOneWord(tools.list(minor, format, logicalCoreSize, wide, others));
    }

    private static ListedProcess program(CommandWords words) {
        return DeviceList.tool(words.nextNumber("the process id"), ofOneWord(words.next("the command")));
    }

    private void start(CommandWords words) {
        if (monitor != null) {
            throw words.wrong("this session has a monitor");
        }
        int size = words.nextInt("the size of a logical core");
        ListedProcess program = program(words);
        MonitorConfig config = words.hasMore()
                ? MonitorConfig.parse(configuration(words.next("the configuration")))
                : MonitorConfig.usual();
        words.end();
        monitor = new Monitor(
                tools.driver(),
                tools.devices(),
                tools.driver().instanceType().family().logicalCoreSize(size),
                config,
                System::nanoTime);
        listed = program;
        tools.monitors().add(program);
    }

    /** Ends the monitor of the session. */
    @Override
    public void close() {
        if (monitor != null) {
            monitor.close();
            tools.monitors().remove(listed);
        }
    }

    /** Returns the word for a configuration, which may be as long as almost a line. */
    static String configuration(byte[] text) {
        return Base64.getEncoder().encodeToString(text);
    }

    private static String configuration(String word) {
        return new String(Base64.getDecoder().decode(word), StandardCharsets.UTF_8);
    }

    static String inOneWord(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    static String ofOneWord(String word) {
        return URLDecoder.decode(word, StandardCharsets.UTF_8);
    }
}
