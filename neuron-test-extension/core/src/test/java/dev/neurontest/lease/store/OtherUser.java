package dev.neurontest.lease.store;

import dev.neurontest.lease.LeaseTableException;
import dev.neurontest.process.ProcessTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A JVM of another user at a table, which reports whom it finds there. */
public final class OtherUser {

    private OtherUser() {}

    /** Joins the table in a directory. */
    public static void main(String[] arguments) throws Exception {
        try (DirectoryStore store = new DirectoryStore(
                Path.of(arguments[0]), new ProcessTable(), Duration.ofMinutes(1), System.out::println)) {
            List<TableState.Member> others = store.change(
                    state -> state.members().stream()
                            .filter(member -> member.number() != store.self().number())
                            .toList(),
                    LockLimit.of(Duration.ofMinutes(1)));
            for (TableState.Member other : others) {
                store.ring(other);
                System.out.println(
                        other.directory() + " lives: " + store.alive(other) + " " + store.lives(other.directory()));
            }
            System.out.println("joined");
            System.in.read();
        } catch (LeaseTableException refused) {
            System.out.println(refused.getMessage());
        }
    }
}
