package dev.neurontest.fake.internal.neff;

import dev.neurontest.fake.internal.files.RegularFile;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.apiguardian.api.API;

/**
 * A compiled model, as far as the format is known from genuine files: a header of 1024 bytes and a compressed archive. The archive
 * contains a file for the stand-ins. A NEFF without this file has unknown properties.
 *
 * @param name name in the header
 * @param uuid 16 bytes
 * @param lnc number of physical cores of a logical core for which the model was compiled
 * @param file path of the file
 * @param bytes size of the file
 * @param model properties for the stand-ins
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Neff(String name, byte[] uuid, int lnc, Path file, long bytes, NeffModel model) {

    private static final int HEADER = 1024;
    private static final int BODY_MULTIPLE = 10240;
    private static final long PACKAGE_VERSION = 2;
    private static final int UUID_AT = 0xcc;
    private static final int UUID_BYTES = 16;
    private static final int NAME_AT = 0xdc;
    private static final int NAME_BYTES = 256;
    private static final int CORES_AT = 0x228;
    private static final String MODEL = "fake/model.txt";

    /**
     * Encodes a NEFF.
     *
     * @param name name in the header
     * @param uuid 16 bytes
     * @param lnc number of physical cores of a logical core, 1 or 2
     * @param model properties for the stand-ins
     * @return content of the file
     */
    public static byte[] toBytes(String name, byte[] uuid, int lnc, NeffModel model) {
        byte[] archive = archive(name, lnc, model);
        int body = (archive.length + BODY_MULTIPLE - 1) / BODY_MULTIPLE * BODY_MULTIPLE;
        ByteBuffer file = ByteBuffer.allocate(HEADER + body).order(ByteOrder.LITTLE_ENDIAN);
        file.putLong(PACKAGE_VERSION).putLong(HEADER).putLong(body).putLong(lnc).putLong(0);
        file.putInt(0xa8, 1);
        file.position(0xac);
        file.put(hash(archive));
        file.position(UUID_AT);
        file.put(uuid, 0, UUID_BYTES);
        file.position(NAME_AT);
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        file.put(text, 0, Math.min(text.length, NAME_BYTES - 1));
        file.putInt(0x1dc, 1).putInt(0x1e0, 1);
        file.putLong(0x220, lnc == 2 ? 0xc00 : 0).putLong(CORES_AT, lnc);
        file.position(HEADER);
        file.put(archive);
        return file.array();
    }

    /**
     * Returns the same NEFF with another execution time.
     *
     * @param time duration of an execution
     */
    public Neff taking(Duration time) {
        NeffModel timed =
                new NeffModel(model.work(), time.toNanos() * 1000, model.workers(), model.inputs(), model.outputs());
        return new Neff(name, uuid, lnc, file, bytes, timed);
    }

    private static byte[] archive(String name, int lnc, NeffModel model) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            // This file is the first, and is therefore found fast.
            Tar.write(out, MODEL, utf8(model.toString()));
            Tar.write(out, "info.json", utf8("{\"name\": \"stand-in\"}\n"));
            Tar.write(out, "neff.json", utf8("{\"nodes\": [], \"version\": \"1.0\"}\n"));
            Tar.write(out, "kelf-0.json", utf8("{\"version\": \"1.0\"}\n"));
            for (int graph = 0; graph < lnc; graph++) {
                Tar.write(out, "sg0" + graph + "/def.json", utf8("{\"name\": \"sg0" + graph + "\"}\n"));
            }
            Tar.end(out);
        } catch (IOException e) {
            throw new IllegalStateException("no archive of " + name + " in memory", e);
        }
        return bytes.toByteArray();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns a hash that differs from the unknown hash of the compiler. */
    private static byte[] hash(byte[] archive) {
        long first = 1;
        long second = 7;
        for (byte each : archive) {
            first = first * 31 + each;
            second = second * 131 + each;
        }
        return ByteBuffer.allocate(16).putLong(first).putLong(second).array();
    }

    /** Thrown when the format of a NEFF is older or newer. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static final class UnsupportedVersion extends IOException {

        private static final long serialVersionUID = 1;

        private UnsupportedVersion() {
            super("not a NEFF");
        }
    }

    /**
     * Reads a NEFF.
     *
     * @param file a NEFF
     * @return the content of its header and its archive
     * @throws UnsupportedVersion if its header has another version
     * @throws EOFException if it is truncated
     * @throws IOException if it is not a NEFF or cannot be read
     */
    public static Neff read(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(RegularFile.open(file))) {
            long size = Files.size(file);
            ByteBuffer header = ByteBuffer.wrap(in.readNBytes(HEADER)).order(ByteOrder.LITTLE_ENDIAN);
            if (header.capacity() < HEADER || header.getLong(8) != HEADER) {
                throw new IOException("not a NEFF");
            }
            if (header.getLong(0) != PACKAGE_VERSION) {
                throw new UnsupportedVersion();
            }
            long body = header.getLong(0x10);
            if (body < 0) {
                throw new IOException("not a NEFF");
            }
            if (size - HEADER < body) {
                throw new EOFException("body of " + (size - HEADER) + " bytes, header says " + body);
            }
            byte[] uuid = Arrays.copyOfRange(header.array(), UUID_AT, UUID_AT + UUID_BYTES);
            int length = 0;
            while (length < NAME_BYTES && header.get(NAME_AT + length) != 0) {
                length++;
            }
            String name = new String(header.array(), NAME_AT, length, StandardCharsets.UTF_8);
            int lnc = header.getLong(CORES_AT) == 2 ? 2 : 1;
            return new Neff(name, uuid, lnc, file, size, model(in));
        }
    }

    private static NeffModel model(InputStream body) throws IOException {
        try {
            byte[] text = Tar.find(new GZIPInputStream(body), MODEL);
            return text == null ? NeffModel.UNKNOWN : NeffModel.parse(new String(text, StandardCharsets.UTF_8));
        } catch (ZipException | EOFException damaged) {
            throw new IOException("body: " + damaged.getMessage(), damaged);
        }
    }

    /**
     * Returns the decimal number in the runtime's file names for this NEFF.
     *
     * @return digits only
     */
    public String decimalHash() {
        return Long.toUnsignedString(ByteBuffer.wrap(uuid).getLong());
    }
}
