package dev.neurontest.internal.device.kernel;

import dev.neurontest.internal.host.EntryKind;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A regular file with records of {@code /dev/kmsg}: {@code 3,512,65345678,-;text}. A line with a leading blank continues a record.
 *
 * @param tree the host
 */
record KmsgFile(HostTree tree) implements KernelLog.Messages {

    private static final String FILE = "dev/kmsg";
    private static final Pattern RECORD = Pattern.compile("[0-9]{1,9},[0-9]{1,19},([0-9]{1,18}),[^;]*;(.*)");

    @Override
    public void read(KernelLog.Sink sink) throws IOException {
        Optional<EntryKind> kind = tree.kind(FILE);
        if (!kind.equals(Optional.of(EntryKind.FILE))) {
            throw new IOException(
                    tree.location(FILE) + (kind.isEmpty() ? " does not exist" : " is not a regular file"));
        }
        String records;
        try {
            records = new String(tree.read(FILE), StandardCharsets.UTF_8);
        } catch (AccessDeniedException denied) {
            throw new IOException(tree.location(FILE) + " is not readable for this user", denied);
        }
        for (String line : records.split("\n")) {
            Matcher record = RECORD.matcher(line);
            if (record.matches()) {
                sink.message(Duration.of(Long.parseLong(record.group(1)), ChronoUnit.MICROS), record.group(2));
            }
        }
    }
}
