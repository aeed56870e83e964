package dev.neurontest.fake.internal.tree;

import java.io.IOException;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A fault of a file, such as a delay or an error that its readers get. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface FileFault {

    /**
     * Is called before each read of the in-process view; may wait.
     *
     * @param path the file
     * @return what the reader gets instead of the content, null for the content
     * @throws IOException what the reader gets instead
     */
    byte @Nullable [] onRead(String path) throws IOException;

    /**
     * Is called before each write of the in-process view; may wait.
     *
     * @param path the file
     * @throws IOException what the writer gets instead
     */
    void onWrite(String path) throws IOException;

    /**
     * What a view shows that cannot ask at each read.
     *
     * @return what it shows instead of the content, null for the content
     */
    byte @Nullable [] shown();
}
