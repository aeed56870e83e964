package dev.neurontest.profile;

import java.nio.file.Path;
import org.apiguardian.api.API;

/** A format in which a trace is written beside itself. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum TraceExport {
    /** For Perfetto. */
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
     * What the tools call it.
     *
     * @return the value of {@code --output-format}
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public String format() {
        return format;
    }

    /**
     * Where it goes, beside its trace.
     *
     * @param ntff the trace
     * @return in the same folder, named as the trace is but for its suffix
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Path of(Path ntff) {
        String name = ntff.getFileName().toString();
        int end = name.lastIndexOf('.');
        return ntff.resolveSibling((end < 0 ? name : name.substring(0, end)) + suffix);
    }
}
