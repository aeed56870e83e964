package dev.neurontest.fake.internal.files;

import dev.neurontest.fake.Errno;
import dev.neurontest.fake.FakeAccess;
import dev.neurontest.fake.FakeDescriptor;
import dev.neurontest.fake.FakeErrnoException;
import dev.neurontest.fake.FakeTree;
import java.io.IOException;
import org.apiguardian.api.API;

/**
 * A file of the in-process view that is read or opened again and again: the path is looked up once. Like a descriptor that is
 * kept open, it fails with {@link Errno#ENODEV} while its device is gone and works again when the device is back; whether the
 * reader may read it is asked each time.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface FakeFile {

    /**
     * The file.
     *
     * @return its path, as it was opened
     */
    String path();

    /**
     * Reads the whole file as it is now.
     *
     * @return its content
     * @throws java.nio.file.NoSuchFileException when there is no such file
     * @throws java.nio.file.AccessDeniedException when the reader must not read it
     * @throws FakeErrnoException when the driver refuses, such as with {@link Errno#ENODEV}
     * @throws IOException the common type of those
     */
    byte[] read() throws IOException;

    /**
     * Reads the file as it is now into a buffer, from the file's beginning.
     *
     * @param buffer takes as much as fits; a page of 4096 bytes takes everything
     * @return how many bytes were read
     * @throws IOException as {@link #read()}
     */
    int read(byte[] buffer) throws IOException;

    /**
     * Opens the file as {@link FakeTree#open(String, FakeAccess)} does: while its device is gone there is no such file.
     *
     * @param access what for
     * @return an open file, to be closed
     * @throws IOException when there is no such file, it is a directory ({@link Errno#EISDIR}), or there is no permission
     */
    FakeDescriptor open(FakeAccess access) throws IOException;
}
