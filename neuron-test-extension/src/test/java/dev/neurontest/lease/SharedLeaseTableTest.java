package dev.neurontest.lease;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SharedLeaseTableTest extends LeaseTableContract {

    @TempDir
    Path shared;

    @Override
    LeaseTable.Builder kept(LeaseTable.Builder table) {
        return table.directory(shared.resolve("leases"));
    }
}
