package dev.neurontest.internal.archive;

import dev.neurontest.internal.host.DeviceNumber;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What a directory holds under a name, as it was seen. */
sealed interface Entry {

    /** What stands on its line after the name. */
    String text();

    /**
     * A file with what was read from it.
     *
     * @param mode its permissions
     * @param content all of it
     */
    record Content(int mode, byte[] content) implements Entry {

        @Override
        public String text() {
            return ArchiveText.mode(mode) + (content.length == 0 ? " =" : " = " + ArchiveText.content(content));
        }
    }

    /**
     * A file that could not be read.
     *
     * @param mode its permissions
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
     * @param mode its permissions
     * @param number where it is not the device that its name says, as in a container
     */
    record Device(int mode, Optional<DeviceNumber> number) implements Entry {

        @Override
        public String text() {
            return ArchiveText.mode(mode) + " device"
                    + number.map(known -> " " + known).orElse("");
        }
    }

    /**
     * A link, which is never entered.
     *
     * @param target as it is written in the link
     */
    record Link(String target) implements Entry {

        @Override
        public String text() {
            return "-> " + ArchiveText.name(target);
        }
    }

    /** What was there and is no more. */
    record Gone() implements Entry {

        @Override
        public String text() {
            return "gone";
        }
    }

    /** The same without what identifies a device: letters and digits become zeros. */
    default Entry redacted() {
        if (!(this instanceof Content file)) {
            return this;
        }
        String zeros = new String(file.content(), StandardCharsets.ISO_8859_1).replaceAll("[A-Za-z0-9]", "0");
        return new Content(file.mode(), zeros.getBytes(StandardCharsets.ISO_8859_1));
    }
}
