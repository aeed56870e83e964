package dev.neurontest.internal.judgement;

import org.apiguardian.api.API;

/**
 * An additional file of a measurement, next to its text and its JSON.
 *
 * @param suffix suffix after the name of the measurement, such as {@code .html} or {@code -0017.npy}
 * @param mediaType such as {@code text/html}
 * @param content content of the file
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Attachment(String suffix, String mediaType, byte[] content) {

    /**
     * Returns whether the file is readable text. Secrets in text are masked.
     *
     * @return false for a file that must not be changed
     */
    public boolean isText() {
        return mediaType.startsWith("text/") || mediaType.equals("application/json");
    }
}
