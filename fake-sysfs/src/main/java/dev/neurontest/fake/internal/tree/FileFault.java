package dev.neurontest.fake.internal.tree;

import java.io.IOException;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A fault of a file, such as a delay or an error that its readers get. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface FileFault {

    /**
     * Called before each read of the in-process view; it may block.
     *
     * @param path path of the file
     * @return content that replaces the content of the file, or null to keep the content
     * @throws IOException the error that the reader gets
     */
    byte @Nullable [] onRead(String path) throws IOException;

    /**
     * Called before each write of the in-process view; it may block.
     *
     * @param path path of the file
     * @throws IOException the error that the writer gets
     */
    void onWrite(String path) throws IOException;

    /**
     * Returns the content for views that cannot call {@link #onRead} at each read.
     *
     * @return content that replaces the content of the file, or null to keep the content
     */
    byte @Nullable [] shown();
}
