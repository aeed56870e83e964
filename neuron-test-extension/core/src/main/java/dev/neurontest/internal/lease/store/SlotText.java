package dev.neurontest.internal.lease.store;

import dev.neurontest.internal.lease.DeviceReading;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.process.ProcessIdentity;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The text format of records in a slot. Each record is a line with the names and values of its components between tabs. A length
 * and a checksum come first, because a JVM might be killed while it writes. The first byte of a slot is never used: writing to it
 * allocates the slot's disk space.
 */
final class SlotText {

    /** The size of the unused byte, and of the length and the checksum in hexadecimal digits. */
    private static final int HEADER = 17;

    private static final int HEX = 16;
    private static final int DIGITS = 8;

    /** The maximum lengths of a text, tried in this order. */
    private static final int[] LONGEST = {Integer.MAX_VALUE, 500, 50};

    private static final Map<Type, Function<String, Object>> VALUES = Map.of(
            long.class, Long::valueOf,
            Long.class, Long::valueOf,
            boolean.class, Boolean::valueOf,
            String.class, SlotText::unescape,
            Instant.class, Instant::parse,
            Until.class, Until::valueOf,
            ProcessIdentity.class, word -> ProcessIdentity.of(word).orElseThrow(IllegalArgumentException::new),
            DeviceReading.class, text -> DeviceReading.parse(unescape(text)));

    private static final Map<Class<?>, RecordComponent[]> COMPONENTS = new ConcurrentHashMap<>();

    private SlotText() {}

    /** Thrown when a text contains anything but records of the given types. */
    static final class MalformedSlotException extends Exception {

        private static final long serialVersionUID = 1;

        MalformedSlotException(String what) {
            super(what);
        }
    }

    /**
     * Returns the content of a slot. Long texts are cut if the space is not sufficient. Returns an empty array if even that is
     * too long.
     */
    static byte[] write(Collection<? extends Record> records, int limit) {
        for (int longest : LONGEST) {
            StringBuilder lines = new StringBuilder();
            records.forEach(each -> line(each, longest, lines));
            byte[] content = lines.toString().getBytes(StandardCharsets.US_ASCII);
            if (content.length <= limit - HEADER) {
                byte[] slot = new byte[HEADER + content.length];
                String header = HexFormat.of().toHexDigits(content.length)
                        + HexFormat.of().toHexDigits(crc(content));
                System.arraycopy(header.getBytes(StandardCharsets.US_ASCII), 0, slot, 1, HEADER - 1);
                System.arraycopy(content, 0, slot, HEADER, content.length);
                return slot;
            }
        }
        return new byte[0];
    }

    private static RecordComponent[] components(Class<?> type) {
        // A method reference to this caller-sensitive method costs some milliseconds.
        return COMPONENTS.computeIfAbsent(type, each -> each.getRecordComponents());
    }

    private static int crc(byte[] content) {
        CRC32 crc = new CRC32();
        crc.update(content);
        return (int) crc.getValue();
    }

    private static void line(Record record, int longest, StringBuilder line) {
        line.append(record.getClass().getSimpleName());
        for (RecordComponent component : components(record.getClass())) {
            try {
                Object value = component.getAccessor().invoke(record);
                if (value instanceof List<?> list) {
                    String elements =
                            list.stream().map(each -> text(each, longest)).collect(Collectors.joining(","));
                    line.append('\t').append(component.getName()).append('=').append(elements);
                } else if (VALUES.containsKey(component.getType())) {
                    line.append('\t').append(component.getName()).append('=').append(text(value, longest));
                }
            } catch (ReflectiveOperationException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
        line.append('\n');
    }

    private static String text(Object value, int longest) {
        if (value instanceof ProcessIdentity process) {
            return process.word();
        }
        String text = value.toString();
        return escape(value instanceof String && text.length() > longest ? text.substring(0, longest) + "..." : text);
    }

    /** Returns the length of the text in a slot including its header; 0 if the slot was never written or is malformed. */
    static int length(byte[] slot) {
        try {
            return slot[1] == 0
                    ? 0
                    : HEADER + Integer.parseInt(new String(slot, 1, DIGITS, StandardCharsets.US_ASCII), HEX);
        } catch (NumberFormatException malformed) {
            return 0;
        }
    }

    /** Reads the content of a slot; an empty list if it was never written. */
    static List<Record> read(byte[] slot, List<Class<? extends Record>> types) throws MalformedSlotException {
        if (slot[1] == 0) {
            return List.of();
        }
        try {
            String header = new String(slot, 1, HEADER - 1, StandardCharsets.US_ASCII);
            int length = Integer.parseInt(header.substring(0, DIGITS), HEX);
            byte[] content = Arrays.copyOfRange(slot, HEADER, Math.addExact(HEADER, length));
            if (HEADER + length > slot.length
                    || Integer.parseUnsignedInt(header.substring(DIGITS), HEX) != crc(content)) {
                throw new MalformedSlotException("its checksum is wrong");
            }
            Map<String, Class<? extends Record>> byName =
                    types.stream().collect(Collectors.toMap(Class::getSimpleName, type -> type));
            return new String(content, StandardCharsets.US_ASCII)
                    .lines()
                    .map(line -> line(line.split("\t"), byName))
                    .toList();
        } catch (RuntimeException malformed) {
            throw new MalformedSlotException(malformed.toString());
        }
    }

    private static Record line(String[] fields, Map<String, Class<? extends Record>> types) {
        Class<? extends Record> type = types.get(fields[0]);
        if (type == null) {
            throw new IllegalArgumentException("no " + fields[0]);
        }
        Map<String, String> values = new HashMap<>();
        for (String field : fields) {
            values.put(field.substring(0, Math.max(0, field.indexOf('='))), field.substring(field.indexOf('=') + 1));
        }
        RecordComponent[] components = components(type);
        Object[] arguments = Arrays.stream(components)
                .map(component -> value(component.getGenericType(), values.get(component.getName())))
                .toArray();
        try {
            return type.getDeclaredConstructor(Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new))
                    .newInstance(arguments);
        } catch (ReflectiveOperationException malformed) {
            throw new IllegalArgumentException(malformed);
        }
    }

    /** Parses a value; null for a component that is not stored. */
    private static @Nullable Object value(Type type, String text) {
        if (type instanceof ParameterizedType list) {
            Function<String, Object> element = VALUES.get(list.getActualTypeArguments()[0]);
            return text.isEmpty()
                    ? List.of()
                    : Arrays.stream(text.split(",")).map(element).toList();
        }
        Function<String, Object> parser = VALUES.get(type);
        return parser == null ? null : parser.apply(text);
    }

    private static String escape(String value) {
        StringBuilder escaped = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char next = value.charAt(i);
            if (next < ' ' || next > '~' || next == '\\') {
                escaped.append("\\u").append(HexFormat.of().toHexDigits(next));
            } else {
                escaped.append(next);
            }
        }
        return escaped.toString();
    }

    private static String unescape(String value) {
        if (value.indexOf('\\') < 0) {
            return value;
        }
        StringBuilder plain = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) == '\\') {
                plain.append((char) Integer.parseInt(value.substring(i + 2, i + 2 + DIGITS / 2), HEX));
                i += 1 + DIGITS / 2;
            } else {
                plain.append(value.charAt(i));
            }
        }
        return plain.toString();
    }
}
