package dev.neurontest.internal.lease.store;

import dev.neurontest.internal.lease.DeviceReading;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.process.ProcessIdentity;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

    /** The types of the stored components. A list of one of them is stored too. */
    private static final Set<Type> STORED = Set.of(
            long.class,
            Long.class,
            boolean.class,
            String.class,
            Instant.class,
            Until.class,
            ProcessIdentity.class,
            DeviceReading.class);

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
            for (Record each : records) {
                line(each, longest, lines);
            }
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
        RecordComponent[] components = COMPONENTS.get(type);
        if (components == null) {
            components = type.getRecordComponents();
            COMPONENTS.put(type, components);
        }
        return components;
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
                    List<String> elements = new ArrayList<>();
                    for (Object each : list) {
                        elements.add(text(each, longest));
                    }
                    line.append('\t').append(component.getName()).append('=').append(String.join(",", elements));
                } else if (STORED.contains(component.getType())) {
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
            Map<String, Class<? extends Record>> byName = new HashMap<>();
            for (Class<? extends Record> type : types) {
                byName.put(type.getSimpleName(), type);
            }
            List<Record> records = new ArrayList<>();
            for (String line :
                    new String(content, StandardCharsets.US_ASCII).lines().toList()) {
                records.add(line(line.split("\t"), byName));
            }
            return records;
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
        Class<?>[] parameters = new Class<?>[components.length];
        Object[] arguments = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            parameters[i] = components[i].getType();
            arguments[i] = value(components[i].getGenericType(), values.get(components[i].getName()));
        }
        try {
            return type.getDeclaredConstructor(parameters).newInstance(arguments);
        } catch (ReflectiveOperationException malformed) {
            throw new IllegalArgumentException(malformed);
        }
    }

    /** Parses a value; null for a component that is not stored. */
    private static @Nullable Object value(Type type, String text) {
        if (type instanceof ParameterizedType list) {
            List<Object> elements = new ArrayList<>();
            for (String element : text.isEmpty() ? new String[0] : text.split(",")) {
                elements.add(parse(list.getActualTypeArguments()[0], element));
            }
            return List.copyOf(elements);
        }
        return STORED.contains(type) ? parse(type, text) : null;
    }

    private static Object parse(Type type, String text) {
        if (type == long.class || type == Long.class) {
            return Long.valueOf(text);
        } else if (type == boolean.class) {
            return Boolean.valueOf(text);
        } else if (type == Instant.class) {
            return Instant.parse(text);
        } else if (type == Until.class) {
            return Until.valueOf(text);
        } else if (type == ProcessIdentity.class) {
            return ProcessIdentity.of(text).orElseThrow(IllegalArgumentException::new);
        } else if (type == DeviceReading.class) {
            return DeviceReading.parse(unescape(text));
        }
        return unescape(text);
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
