package dev.neurontest.internal.print.stream;

import dev.neurontest.internal.print.GivenFeed;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.PrintDoubt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The prints of a test that was running when its JVM ended, from the log that it left.
 *
 * @param prints all prints that the JVM had read
 * @param log open log; null when it cannot be read
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record UnreadPrints(DevicePrints prints, @Nullable PrintLog log) implements AutoCloseable {

    /**
     * Opens the log of a test.
     *
     * @param folder folder of the test
     * @return empty when the test left no log
     */
    public static Optional<UnreadPrints> in(Path folder) {
        Path file = folder.resolve(PrintLog.NAME);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try {
            PrintLog log = PrintLog.open(file);
            EventStore store = EventStore.of(log);
            return Optional.of(
                    of(new GivenFeed(store.prints(), store.oddEvents(), store.doubts(), store.notices(), false), log));
        } catch (IOException unreadable) {
            PrintDoubt doubt = new PrintDoubt(
                    PrintDoubt.Kind.UNREADABLE,
                    "The prints that the JVM has left in %s cannot be read: %s".formatted(file, unreadable));
            return Optional.of(of(new GivenFeed(List.of(), List.of(), List.of(doubt)), null));
        }
    }

    private static UnreadPrints of(PrintFeed feed, @Nullable PrintLog log) {
        return new UnreadPrints(DevicePrints.of(feed, List.of()), log);
    }

    /** Closes the log. The prints are no longer readable afterwards. */
    @Override
    public void close() {
        if (log != null) {
            log.close();
        }
    }
}
