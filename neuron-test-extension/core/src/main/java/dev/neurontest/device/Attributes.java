package dev.neurontest.device;

import dev.neurontest.internal.device.Nodes;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Single attributes of a host: absent, readable, or a {@link NeuronSysfsException} that says where and what. */
final class Attributes {

    /** What the driver prints where it cannot talk to the device. */
    static final String UNREACHABLE = "device_unreachable";

    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,19}");
    private static final Pattern HEX = Pattern.compile("0[xX]0*([0-9a-fA-F]{1,16})");

    private final HostTree tree;
    private final Map<String, Nodes> nodes = new ConcurrentHashMap<>();

    Attributes(HostTree tree) {
        this.tree = tree;
    }

    /**
     * Where a file of a device or core is: at its usual place, or wherever its name is found.
     *
     * @param directory the device or core
     * @param usual where it stands up to driver 2.30.2, relative to that
     * @return the usual place too when there is no such file
     * @throws NeuronSysfsException when that cannot be found out
     */
    String place(String directory, String usual) {
        String path = directory + "/" + usual;
        return tree.exists(path) || !tree.exists(directory)
                ? path
                : directory + "/" + nodes(directory).find(usual).orElse(usual);
    }

    /**
     * What stands below a device or core; looked up once.
     *
     * @throws NeuronSysfsException when that cannot be found out
     */
    Nodes nodes(String directory) {
        return nodes.computeIfAbsent(directory, below -> Nodes.below(tree, below));
    }

    /** The content as it is; empty only when there is no such file. */
    Optional<String> content(String path) {
        try {
            return Optional.of(new String(tree.read(path), StandardCharsets.ISO_8859_1));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (AccessDeniedException denied) {
            throw unreadable(path, "Reading it needs root.", denied);
        } catch (IOException failed) {
            throw unreadable(path, "The device may have gone or be resetting; the kernel log (dmesg) tells.", failed);
        }
    }

    /** The one word that a file holds; empty when there is no such file, or nothing but white space or NUL in it. */
    Optional<String> word(String path) {
        return content(path).map(content -> content.replace("\0", "").strip()).filter(word -> !word.isEmpty());
    }

    /** A number that is only told to people or used as a hint, so an unreadable one counts as none. */
    Optional<String> hint(String path) {
        try {
            return word(path);
        } catch (NeuronSysfsException unreadable) {
            return Optional.empty();
        }
    }

    /** A count; empty when there is no such file. */
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
