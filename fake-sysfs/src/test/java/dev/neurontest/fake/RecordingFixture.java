package dev.neurontest.fake;

import dev.neurontest.fake.internal.files.FakeEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** An archive of a fake host, as {@code neuron-test record} writes it. */
public final class RecordingFixture {

    private static final Pattern NUMBER = Pattern.compile("[0-9]+");
    private static final Comparator<String> BY_NUMBER = Comparator.comparing(name -> NUMBER.matcher(name)
            .replaceAll(number -> "0".repeat(9 - number.group().length()) + number.group()));

    private final FakeTree tree;
    private final StringBuilder text =
            new StringBuilder("neuron-archive 1\nrecorded 2026-01-01T12:00:00.000Z\nwriter fake-sysfs 0.1\n");

    private RecordingFixture(FakeTree tree) {
        this.tree = tree;
    }

    public static Path record(FakeNeuronHost host, Path file) throws IOException {
        return Files.writeString(file, text(host));
    }

    static String text(FakeNeuronHost host) throws IOException {
        RecordingFixture recording = new RecordingFixture(host.tree());
        recording
                .text
                .append("instance-type ")
                .append(host.instanceType())
                .append("\ndriver-version ")
                .append(host.driverVersion())
                .append('\n');
        recording.directory("dev", "neuron[0-9]+");
        recording.directory("sys/class/neuron_device", ".*");
        recording.directory("sys/devices/virtual/dmi/id", "product_name");
        recording.directory("sys/devices/virtual/neuron_device", ".*");
        recording.directory("sys/module/neuron", "version");
        return recording.text.append("end\n").toString();
    }

    private void directory(String path, String names) throws IOException {
        List<String> found;
        try {
            found = tree.list(path).stream()
                    .filter(name -> name.matches(names))
                    .sorted(BY_NUMBER)
                    .toList();
        } catch (NoSuchFileException absent) {
            return;
        }
        line("\ndirectory %s %s", mode(tree.stat(path)), path);
        List<String> directories = new ArrayList<>();
        for (String name : found) {
            String child = path + '/' + name;
            FakeEntry entry = tree.stat(child);
            switch (entry.type()) {
                case LINK -> line(" %s -> %s", name, entry.linkTarget());
                case DIRECTORY -> directories.add(child);
                case FILE ->
                    line(
                            " %s %s %s",
                            name, mode(entry), path.equals("dev") ? device(name, entry) : content(child, entry));
            }
        }
        for (String child : directories) {
            directory(child, names);
        }
    }

    private static String device(String name, FakeEntry entry) {
        String number = String.valueOf(entry.device());
        return name.equals("neuron" + number.replaceFirst(".*:", "")) ? "device" : "device " + number;
    }

    private String content(String path, FakeEntry entry) throws IOException {
        if ((entry.mode() & 0444) == 0) {
            return "! EACCES";
        }
        try {
            String content = new String(tree.read(path), StandardCharsets.ISO_8859_1)
                    .replace("\\", "\\\\")
                    .replace("\n", "\\n");
            return content.isEmpty() ? "=" : "= " + content;
        } catch (FakeErrnoException unreadable) {
            return "! " + unreadable.errno();
        }
    }

    private static String mode(FakeEntry entry) {
        return Integer.toOctalString(010000 | entry.mode()).substring(1);
    }

    private void line(String format, Object... words) {
        text.append(format.formatted(words)).append('\n');
    }
}
