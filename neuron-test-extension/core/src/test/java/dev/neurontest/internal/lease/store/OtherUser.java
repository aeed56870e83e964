package dev.neurontest.internal.lease.store;

import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.lease.store.LeaseState.Claim;
import dev.neurontest.internal.process.ProcessTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** A JVM of another user that joins a table, prints the other JVMs in it, and leases a core. */
public final class OtherUser {

    static final String CORE = "neuron0/neuron_core0";

    private OtherUser() {}

    /** Returns a lease of the core. */
    static Claim claim(LeaseStore store) {
        long moment = LeaseState.moment();
        return new Claim(
                moment,
                store.self(),
                store.process(),
                "test",
                "main",
                1,
                moment,
                Instant.EPOCH,
                List.of(CORE),
                List.of(),
                false,
                List.of());
    }

    /** Joins the table in a directory. */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        try (LeaseStore store = LeaseStore.in(directory, null, new ProcessTable(), System.out::println);
                Stream<Path> files = Files.list(directory)) {
            files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("jvm-") && !name.equals(store.self()))
                    .forEach(name -> {
                        store.ring(name);
                        System.out.println(name + " lives: " + store.isAlive(name));
                    });
            store.prepare(List.of(CORE));
            System.out.println("leased: " + store.cores().take(claim(store)).isEmpty());
            System.in.read();
        } catch (LeaseTableException refused) {
            System.out.println(refused.getMessage());
        }
    }
}
