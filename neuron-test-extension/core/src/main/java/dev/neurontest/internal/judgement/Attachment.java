package dev.neurontest.internal.judgement;

import org.apiguardian.api.API;

/**
 * A file that belongs to a recording beside its text and its JSON.
 *
 * @param suffix what follows the name of the recording, such as {@code .html} or {@code -0017.npy}
 * @param mediaType such as {@code text/html}
 * @param content what is in it
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Attachment(String suffix, String mediaType, byte[] content) {

    /**
     * Whether a person reads it as text, so that secrets in it are masked.
     *
     * @return false for anything that must stay as it is
     */
    public boolean isText() {
        return mediaType.startsWith("text/") || mediaType.equals("application/json");
    }
}
