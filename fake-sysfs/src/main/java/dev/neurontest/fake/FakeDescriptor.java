package dev.neurontest.fake;

import java.io.IOException;
import org.apiguardian.api.API;

/**
 * An open file of the in-process view, as the kernel keeps it for a descriptor. The access rights are checked once, when the file is
 * opened. The descriptor records whether the file had an event after the last read. After its device is removed, every use fails with
 * {@link Errno#ENODEV}. This is also so when the device has come back, because the new file only has the same name. Safe for use by several
 * threads.
 *
 * <p>The driver decides which changes are events. While {@code notify_delay} is -1, there are nearly none. Otherwise they are the changes
 * of the files of a counter, in the order in which the driver notifies them.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface FakeDescriptor extends AutoCloseable {

    /**
     * Returns the path of the file.
     *
     * @return the path, as it was opened
     */
    String path();

    /**
     * Reads the whole file, with newly generated content. Clears all events until now, even if the driver refuses the read.
     *
     * @return the content
     * @throws FakeErrnoException with {@link Errno#ENODEV} after the device was removed; with {@link Errno#EBADF} when the file was
     *     not opened for reading or is closed; or with another error of the driver
     * @throws IOException the common type of those
     */
    byte[] read() throws IOException;

    /**
     * Reads the file from its beginning into a buffer, as {@link #read()}.
     *
     * @param buffer the buffer; it receives as many bytes as fit, and 4096 bytes (a page) are always enough
     * @return the number of bytes read
     * @throws IOException in the same cases as {@link #read()}
     */
    int read(byte[] buffer) throws IOException;

    /**
     * Writes the file in one piece, as {@link FakeTree#write}. If the write is an event, this descriptor receives it too.
     *
     * @param content the bytes to write
     * @return the number of bytes accepted, at most a page of 4096
     * @throws FakeErrnoException with {@link Errno#ENODEV} after the device was removed; with {@link Errno#EBADF} when the file was
     *     not opened for writing or is closed; or with another error of the driver
     * @throws IOException the common type of those
     */
    int write(byte[] content) throws IOException;

    /**
     * Checks whether {@code poll} reports {@code POLLPRI} and {@code POLLERR}. It does so in three cases: the file was not read since it
     * was opened, it had an event since the last read, or its device was removed.
     *
     * @return false also for a closed descriptor, and always for a file outside {@code sys}
     */
    boolean signalled();

    /**
     * Calls a listener at every event from now on, until the descriptor is closed. It does not report earlier events; {@link #signalled()}
     * does. A caller that checks {@link #signalled()} after this call misses no event.
     *
     * @param listener the listener, which replaces the one before. It is called on the thread that caused the event. That thread may hold
     *     the lock of a device, so the listener must not wait for anything and must not use the host.
     */
    void onSignal(Runnable listener);

    /** Closes the descriptor. A second call does nothing. */
    @Override
    void close();
}
