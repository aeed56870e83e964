package dev.neurontest.benchmark;

import dev.neurontest.evidence.RunEvent;
import dev.neurontest.evidence.RunLinesFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the report over 1,000 shards with 200,000 tests costs. */
final class ShardReports {

    private ShardReports() {}

    /** One run file a shard, each of a machine of its own. */
    static void write(Path runs, int shards, int tests) throws IOException {
        for (int shard = 1; shard <= shards; shard++) {
            RunLinesFixture jvm = new RunLinesFixture(1000 + shard)
                    .started("node-" + shard)
                    .add(new RunEvent.Sharded(shard, shards, "0123456789abcdef", "Slurm job 4711", 0, "abc", true))
                    .onHardware();
            Reports.tests(jvm, shard, tests / shards)
                    .finished()
                    .writeTo(Files.createDirectories(runs.resolve(String.valueOf(shard))));
        }
    }
}
