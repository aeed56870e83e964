package dev.neurontest.profile;

import java.nio.file.Path;
import org.apiguardian.api.API;

/** An additional format of a trace, written next to the NTFF. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum TraceExport {
    /** The format for Perfetto. */
    PERFETTO("perfetto", ".pftrace"),
    /** Every instruction and transfer, as JSON. */
    FULL_JSON("json", ".json"),
    /** Every instruction, transfer and warning, as Parquet tables in a folder. */
    TABLES("parquet", "-tables");

    private final String format;
    private final String suffix;

    TraceExport(String format, String suffix) {
        this.format = format;
        this.suffix = suffix;
    }

    /**
     * Returns the tool's name of the format.
     *
     * @return the value of {@code --output-format}
     */
    String format() {
        return format;
    }

    /**
     * Returns the path of the output, next to the trace.
     *
     * @param ntff the trace
     * @return a path in the same folder, with the name of the trace and another suffix
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Path of(Path ntff) {
        String name = ntff.getFileName().toString();
        int end = name.lastIndexOf('.');
        return ntff.resolveSibling((end < 0 ? name : name.substring(0, end)) + suffix);
    }
}
