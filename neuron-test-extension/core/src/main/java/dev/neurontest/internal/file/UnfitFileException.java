package dev.neurontest.internal.file;

import dev.neurontest.internal.text.VisibleText;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.apiguardian.api.API;

/** Thrown when a file is of another kind than expected, or larger than its limit. The file was not read. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class UnfitFileException extends FileSystemException {

    private static final long serialVersionUID = 1;

    UnfitFileException(Path file, String problem) {
        super(file.toString(), null, problem);
    }

    /**
     * Returns the problem of the file.
     *
     * @return a clause with the name of the file as its subject
     */
    @Override
    public String getMessage() {
        return VisibleText.line(getFile() + " " + getReason());
    }
}
