package dev.neurontest.device;

import dev.neurontest.internal.device.Nodes;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reader of single attributes of a host. A failed read throws a {@link NeuronSysfsException} with the file and the reason. */
final class Attributes {

    /** Text that the driver prints when it cannot communicate with the device. */
    static final String UNREACHABLE = "device_unreachable";

    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,19}");
    private static final Pattern HEX = Pattern.compile("0[xX]0*([0-9a-fA-F]{1,16})");

    private final HostTree tree;
    private final Map<String, Nodes> nodes = new ConcurrentHashMap<>();

    /** Contents by path of the files that were read together, and the failures of others. */
    private final Map<String, String> contents = new ConcurrentHashMap<>();

    private final Map<String, IOException> failures = new ConcurrentHashMap<>();

    Attributes(HostTree tree) {
        this.tree = tree;
    }

    /**
     * Creates a reader that reads some files now and together, which is faster than one by one.
     *
     * @param together paths of these files
     */
    Attributes(HostTree tree, List<String> together) {
        this(tree);
        tree.prepare(together).read(new HostTree.Sink() {
            @Override
            public void content(int index, byte[] buffer, int length) {
                contents.put(together.get(index), new String(buffer, 0, length, StandardCharsets.ISO_8859_1));
            }

            @Override
            public void failed(int index, IOException cause) {
                failures.put(together.get(index), cause);
            }
        });
    }

    /**
     * Returns the path of a file of a device or core: the usual path, or another path with the same name.
     *
     * @param directory directory of the device or core
     * @param usual path up to driver 2.30.2, relative to that directory
     * @return the path; the usual path too when there is no such file
     * @throws NeuronSysfsException when the directory cannot be read
     */
    String place(String directory, String usual) {
        String path = directory + "/" + usual;
        return contents.containsKey(path) || tree.exists(path) || !tree.exists(directory)
                ? path
                : directory + "/" + nodes(directory).find(usual).orElse(usual);
    }

    /**
     * Returns the files and directories below a device or core. They are read once.
     *
     * @throws NeuronSysfsException when the directory cannot be read
     */
    Nodes nodes(String directory) {
        Nodes below = nodes.get(directory);
        if (below == null) {
            below = Nodes.below(tree, directory);
            nodes.put(directory, below);
        }
        return below;
    }

    /** Returns the unchanged content of a file; empty only when there is no such file. */
    Optional<String> content(String path) {
        try {
            return Optional.of(read(path));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (AccessDeniedException denied) {
            throw unreadable(path, "Reading it needs root.", denied);
        } catch (IOException failed) {
            throw unreadable(path, "The device may be gone or resetting; see the kernel log (dmesg).", failed);
        }
    }

    private String read(String path) throws IOException {
        IOException failure = failures.get(path);
        if (failure != null) {
            throw failure;
        }
        String content = contents.get(path);
        return content != null ? content : new String(tree.read(path), StandardCharsets.ISO_8859_1);
    }

    /** Returns the single word in a file; empty when the file does not exist or holds only white space or NUL. */
    Optional<String> word(String path) {
        Optional<String> content = content(path);
        String word = content.isEmpty() ? "" : content.get().replace("\0", "").strip();
        return word.isEmpty() ? Optional.empty() : Optional.of(word);
    }

    /** Returns the single word in a file. It is only used for messages and as a hint, so an unreadable file is treated as missing. */
    Optional<String> hint(String path) {
        try {
            return word(path);
        } catch (NeuronSysfsException unreadable) {
            return Optional.empty();
        }
    }

    /** Returns the count in a file; empty when there is no such file. */
    OptionalLong count(String path) {
        Optional<String> content = content(path);
        return content.isEmpty() ? OptionalLong.empty() : OptionalLong.of(count(path, content.get()));
    }

    long count(String path, String content) {
        return parse(content).orElseThrow(() -> unexpected(path, content, "a number from 0 to 2^63-1"));
    }

    static OptionalLong parse(String content) {
        String number = content.strip();
        Matcher hex = HEX.matcher(number);
        long value;
        if (hex.matches()) {
            value = Long.parseUnsignedLong(hex.group(1), 16);
        } else if (DIGITS.matcher(number).matches()) {
            value = Long.parseUnsignedLong(number);
        } else {
            return OptionalLong.empty();
        }
        return value < 0 ? OptionalLong.empty() : OptionalLong.of(value);
    }

    NeuronSysfsException unexpected(String path, String content, String expected) {
        return NeuronSysfsException.unexpectedContent(tree.location(path), content, expected);
    }

    NeuronSysfsException unreadable(String path, String advice, IOException cause) {
        return NeuronSysfsException.unreadable(tree.location(path), advice, cause);
    }
}
