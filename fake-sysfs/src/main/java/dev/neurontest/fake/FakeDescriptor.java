package dev.neurontest.fake;

import java.io.IOException;
import org.apiguardian.api.API;

/**
 * A file of the in-process view that is open, as the kernel keeps it for a descriptor: what its owner may do was decided when
 * it was opened, and it knows whether the file had an event that its owner has not read. With a device that is removed it
 * dies: from then on every use fails with {@link Errno#ENODEV}, also after the device has come back, for what comes back is
 * another file of the same name. Safe for use by several threads.
 *
 * <p>Which changes are events is the driver's affair: nearly none while {@code notify_delay} is -1, and then those of a
 * counter's files, in the order in which the driver notifies them.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface FakeDescriptor extends AutoCloseable {

    /**
     * The file.
     *
     * @return its path, as it was opened
     */
    String path();

    /**
     * Reads the whole file; its content is made anew. All events until now are seen, also when the driver refuses the read.
     *
     * @return its content
     * @throws FakeErrnoException with {@link Errno#ENODEV} after the device was removed, with {@link Errno#EBADF} when it was
     *     not opened for reading or is closed, or whatever else the driver answers
     * @throws IOException the common type of those
     */
    byte[] read() throws IOException;

    /**
     * Reads the file from its beginning into a buffer, as {@link #read()}.
     *
     * @param buffer takes as much as fits; a page of 4096 bytes takes everything
     * @return how many bytes were read
     * @throws IOException as {@link #read()}
     */
    int read(byte[] buffer) throws IOException;

    /**
     * Writes the file in one piece, as {@link FakeTree#write}. If that is an event, this descriptor has it too.
     *
     * @param content what to write
     * @return how many bytes were taken, at most a page of 4096
     * @throws FakeErrnoException with {@link Errno#ENODEV} after the device was removed, with {@link Errno#EBADF} when it was
     *     not opened for writing or is closed, or whatever else the driver answers
     * @throws IOException the common type of those
     */
    int write(byte[] content) throws IOException;

    /**
     * Whether {@code poll} reports {@code POLLPRI} and {@code POLLERR}: the file was not read since it was opened, or it had an
     * event since the last read, or its device was removed.
     *
     * @return false also when it is closed, and always for a file outside {@code sys}
     */
    boolean signalled();

    /**
     * Calls a listener at every event from now on, until the descriptor is closed. Only {@link #signalled()} tells of an event
     * before; a caller that asks it after this call misses none.
     *
     * @param listener is called on the thread that made the event, which may hold a device's lock, so it must not wait for
     *     anything nor use the host; it replaces the one before
     */
    void onSignal(Runnable listener);

    /** Closes it; may be called twice. */
    @Override
    void close();
}
