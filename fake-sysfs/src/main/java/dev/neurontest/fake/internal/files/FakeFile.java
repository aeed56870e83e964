package dev.neurontest.fake.internal.files;

import dev.neurontest.fake.Errno;
import dev.neurontest.fake.FakeAccess;
import dev.neurontest.fake.FakeDescriptor;
import dev.neurontest.fake.FakeErrnoException;
import dev.neurontest.fake.FakeTree;
import java.io.IOException;
import org.apiguardian.api.API;

/**
 * A reusable file of the in-process view: the path is resolved once. It fails with {@link Errno#ENODEV} while its device is removed, like
 * an open descriptor, and works again when the device is back. The permission of the reader is checked each time.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface FakeFile {

    /** Returns the path of the file, as it was opened. */
    String path();

    /**
     * Reads the current content of the whole file.
     *
     * @throws java.nio.file.NoSuchFileException when there is no such file
     * @throws java.nio.file.AccessDeniedException when the reader has no permission
     * @throws FakeErrnoException when the driver refuses, for example with {@link Errno#ENODEV}
     * @throws IOException the common type of those
     */
    byte[] read() throws IOException;

    /**
     * Reads the current content of the file into a buffer, from the file's beginning.
     *
     * @param buffer the buffer; it receives as many bytes as fit, and 4096 bytes (a page) are always enough
     * @return the number of bytes read
     * @throws IOException in the same cases as {@link #read()}
     */
    int read(byte[] buffer) throws IOException;

    /**
     * Opens the file as {@link FakeTree#open(String, FakeAccess)} does. While its device is removed, there is no such file.
     *
     * @return an open file; the caller must close it
     * @throws IOException when there is no such file, it is a directory ({@link Errno#EISDIR}), or there is no permission
     */
    FakeDescriptor open(FakeAccess access) throws IOException;
}
