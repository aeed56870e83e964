package dev.neurontest.internal.profile.tool;

import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Advice for error lines of the tools, collected from public reports. */
enum KnownToolErrors {
    DISK_FULL(
            "(?i)no space left on device|disk quota exceeded",
            "The disk is full: free disk space in the folder of the output."),
    NO_NTFF(
            "NTFF version (?:1[0-9]{2}|2[0-9]{2}) is not supported",
            "The file is not an NTFF file: check whether another file, such as ntrace.pb, was used instead."),
    NTFF_TOO_NEW(
            "NTFF version [0-9]+ is not supported",
            "The runtime writes newer traces than this tool reads: upgrade aws-neuronx-tools to the SDK of the runtime."),
    MEMORY(
            "(?i)out of memory|failed to allocate|insufficient (?:device )?memory|Allocation Failure",
            "The buffers of a capture take 2 to 5 GB of each core: call singleIo(), or execute less often."),
    TOPOLOGY(
            "Unsupported topology",
            "A NEFF with collectives accepts only certain numbers of workers: see collectives(...)."),
    UNKNOWN_FLAG(
            "(?i)unknown (?:flag|command)",
            "This version of the tool does not support it: see option(...), and pin the SDK."),
    NO_HOME("\\$HOME is not defined", "Set HOME for this JVM."),
    INCOMPLETE(
            "ERROR_PROCESS_INCOMPLETE",
            "The trace is too large or damaged, the disk is full, or NEFF and NTFF do not belong together."),
    NO_DATABASE(
            "influxdb|\"influx\"",
            "The tool requires a database, although summaries do not need one: see option(...).");

    private final Pattern line;
    private final String advice;

    KnownToolErrors(String line, String advice) {
        this.line = Pattern.compile(line);
        this.advice = advice;
    }

    static Optional<KnownToolErrors> in(ToolLog log) {
        return Stream.of(values()).filter(trouble -> log.contains(trouble.line)).findFirst();
    }

    String advice() {
        return advice;
    }
}
