package dev.neurontest.profile;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** NEFFs and NTFFs in the layout of genuine ones, created from their facts. */
public final class HeaderFixture {

    public static final int NEFF_HEAD = 1024;
    static final int NTFF_HEAD = 128;

    private static final Pattern HEX_LINE = Pattern.compile("([0-9a-f]{8})  ((?:[0-9a-f]{2} ){15}[0-9a-f]{2})  \\|.*");

    private HeaderFixture() {}

    /** Returns the NEFF of a pair in ntff_neff_parsed-headers.json. */
    public static byte[] neff(JsonNode pair) {
        JsonNode facts = pair.get("neff");
        ByteBuffer neff = ByteBuffer.allocate(facts.get("bytes").intValue()).order(ByteOrder.LITTLE_ENDIAN);
        neff.putLong(0x00, facts.get("package_version").longValue());
        neff.putLong(0x08, facts.get("header_bytes").longValue());
        neff.putLong(0x10, facts.get("data_bytes").longValue());
        neff.putLong(0x18, facts.get("major").longValue());
        neff.putLong(0x20, facts.get("minor").longValue());
        neff.putInt(0xa8, 1);
        neff.put(0xac, hex(facts.get("hash16").asString()));
        neff.put(0xcc, hex(facts.get("uuid").asString()));
        neff.put(0xdc, facts.get("name").asString().getBytes(StandardCharsets.UTF_8));
        neff.putLong(0x220, facts.get("feature_bits").longValue());
        neff.putLong(0x228, facts.get("cores_per_lnc").longValue());
        neff.put(0x400, hex(facts.get("body_magic").asString()));
        return neff.array();
    }

    /** Returns the NTFF of a pair in ntff_neff_parsed-headers.json, with its message filled to its genuine length. */
    static byte[] ntff(JsonNode pair) {
        Message message = new Message()
                .text(1, pair.get("neff_name").asString())
                .bytes(2, hex(pair.get("neff_uuid").asString() + "541a01fcf572"))
                .number(3, pair.get("model_id").longValue());
        Message node = new Message();
        for (JsonNode facts : pair.get("graphs")) {
            Message graph = new Message().text(1, facts.get("name").asString());
            if (facts.get("nc_index").intValue() > 0) {
                graph.number(3, facts.get("nc_index").longValue());
            }
            for (int queue = 0; queue < facts.get("dma_queues").intValue(); queue++) {
                graph.message(7, new Message().number(1, queue));
            }
            node.message(1, graph.number(14, facts.get("duration_ps").longValue()));
        }
        message.message(4, new Message().message(4, node))
                .number(5, pair.get("graphs").size())
                .message(8, version(pair.get("runtime_version").asString()))
                .text(9, pair.get("instance_type").asString());
        return ntff(
                pair.get("ntff_version").intValue(),
                message.filledTo(pair.get("proto_bytes").intValue()),
                pair.get("notification_bytes").intValue());
    }

    /** Returns a version such as 2.35.30 as three numbers. */
    public static Message version(String dotted) {
        String[] numbers = dotted.split("\\.");
        Message version = new Message();
        for (int i = 0; i < numbers.length; i++) {
            version.number(i + 1, Long.parseLong(numbers[i]));
        }
        return version;
    }

    public static byte[] ntff(int version, byte[] message, int notificationBytes) {
        return ByteBuffer.allocate(NTFF_HEAD + message.length + notificationBytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(0, (byte) version)
                .putLong(1, message.length)
                .put(NTFF_HEAD, message)
                .array();
    }

    /** Returns the bytes of one file in a file of hexdumps, with zeros for omitted lines. */
    public static byte[] hexdump(String file, String title, int length) {
        byte[] bytes = new byte[length];
        SampleFixture.text(file)
                .lines()
                .dropWhile(line -> !line.startsWith("== " + title))
                .skip(1)
                .takeWhile(line -> !line.startsWith("== "))
                .map(HEX_LINE::matcher)
                .filter(Matcher::matches)
                .forEach(line -> {
                    int offset = Integer.parseInt(line.group(1), 16);
                    byte[] shown = hex(line.group(2).replace(" ", ""));
                    System.arraycopy(
                            shown,
                            0,
                            bytes,
                            Math.min(offset, length),
                            offset < length ? Math.min(shown.length, length - offset) : 0);
                });
        return bytes;
    }

    public static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    /** A protobuf message. */
    public static final class Message {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        public Message number(int field, long value) {
            varint((long) field << 3);
            varint(value);
            return this;
        }

        public Message text(int field, String value) {
            return bytes(field, value.getBytes(StandardCharsets.UTF_8));
        }

        public Message message(int field, Message value) {
            return bytes(field, value.bytes.toByteArray());
        }

        public Message bytes(int field, byte[] value) {
            varint((long) field << 3 | 2);
            varint(value.length);
            bytes.writeBytes(value);
            return this;
        }

        public byte[] toBytes() {
            return bytes.toByteArray();
        }

        /** Adds an unknown field. */
        byte[] filledTo(int length) {
            int missing = length - bytes.size();
            int lengthOfTagAndLength = missing > 0x3fff + 5 ? 5 : 4;
            return bytes(100, new byte[missing - lengthOfTagAndLength]).toBytes();
        }

        private void varint(long value) {
            while ((value & ~0x7fL) != 0) {
                bytes.write((int) (value & 0x7f | 0x80));
                value >>>= 7;
            }
            bytes.write((int) value);
        }
    }
}
