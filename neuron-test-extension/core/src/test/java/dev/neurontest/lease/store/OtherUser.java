package dev.neurontest.lease.store;

import dev.neurontest.lease.LeaseTableException;
import dev.neurontest.process.ProcessTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A JVM of another user at a table, which reports whom it finds there. */
public final class OtherUser {

    private OtherUser() {}

    /** Joins the table in a directory. */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        try (LeaseStore store = LeaseStore.in(directory, null, new ProcessTable(), System.out::println);
                Stream<Path> files = Files.list(directory)) {
            files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("jvm-") && !name.equals(store.self()))
                    .forEach(name -> {
                        store.ring(name);
                        System.out.println(name + " lives: " + store.lives(name));
                    });
            System.out.println("joined");
            System.in.read();
        } catch (LeaseTableException refused) {
            System.out.println(refused.getMessage());
        }
    }
}
