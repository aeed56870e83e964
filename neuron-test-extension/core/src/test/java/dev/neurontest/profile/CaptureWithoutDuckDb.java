package dev.neurontest.profile;

import java.nio.file.Path;

/** A JVM without DuckDB that captures with tables and prints the result. */
final class CaptureWithoutDuckDb {

    private CaptureWithoutDuckDb() {}

    public static void main(String[] arguments) {
        Path root = Path.of(arguments[0]);
        ToolFixture tool = new ToolFixture(root).beforeView(TablesIT.WRITE.replace("$here/tables", arguments[1]));
        Profile profile = tool.profiler()
                .capture(tool.neff("a.neff"))
                .also(TraceExport.TABLES)
                .run();
        System.out.println("total_time " + profile.number("total_time").orElseThrow());
        System.out.println("doubts " + profile.allDoubts());
        System.out.println("notices " + profile.notices());
        System.out.println("tables " + profile.tables().names());
        try {
            profile.tables().query("select 1");
        } catch (RuntimeException e) {
            System.out.println("query " + e.getMessage());
        }
    }
}
