package dev.neurontest.internal.archive;

import dev.neurontest.internal.host.DeviceNumber;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** An entry of a directory at the time of a reading. */
sealed interface Entry {

    /** Returns the text of the line after the name. */
    String text();

    /**
     * A file with its content.
     *
     * @param mode permissions
     * @param content the whole content
     */
    record Content(int mode, byte[] content) implements Entry {

        @Override
        public String text() {
            return ArchiveText.mode(mode) + (content.length == 0 ? " =" : " = " + ArchiveText.content(content));
        }
    }

    /**
     * An unreadable file.
     *
     * @param mode permissions
     * @param reason an error name, or one of the words of the format
     */
    record Unreadable(int mode, String reason) implements Entry {

        @Override
        public String text() {
            return ArchiveText.mode(mode) + " ! " + reason;
        }
    }

    /**
     * The node of a device, which is never read.
     *
     * @param mode permissions
     * @param number device number, where it does not match the name, as in a container
     */
    record Device(int mode, Optional<DeviceNumber> number) implements Entry {

        @Override
        public String text() {
            return ArchiveText.mode(mode) + " device"
                    + number.map(known -> " " + known).orElse("");
        }
    }

    /**
     * A link, which is never followed.
     *
     * @param target target as written in the link
     */
    record Link(String target) implements Entry {

        @Override
        public String text() {
            return "-> " + ArchiveText.name(target);
        }
    }

    /** An entry that no longer exists. */
    record Gone() implements Entry {

        @Override
        public String text() {
            return "gone";
        }
    }

    /** Returns a copy without data that identify a device: letters and digits become zeros. */
    default Entry redacted() {
        if (!(this instanceof Content file)) {
            return this;
        }
        String zeros = new String(file.content(), StandardCharsets.ISO_8859_1).replaceAll("[A-Za-z0-9]", "0");
        return new Content(file.mode(), zeros.getBytes(StandardCharsets.ISO_8859_1));
    }
}
