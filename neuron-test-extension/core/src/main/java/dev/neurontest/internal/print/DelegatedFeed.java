package dev.neurontest.internal.print;

import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintSource;
import java.util.List;
import org.apiguardian.api.API;

/** A feed with the prints of another feed. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface DelegatedFeed extends PrintFeed {

    /**
     * Returns the other feed.
     *
     * @return a feed with fixed or live content
     */
    PrintFeed source();

    @Override
    default void settle() {
        source().settle();
    }

    @Override
    default List<DevicePrint> prints() {
        return source().prints();
    }

    @Override
    default List<OddEvent> oddEvents() {
        return source().oddEvents();
    }

    @Override
    default List<PrintDoubt> doubts() {
        return source().doubts();
    }

    @Override
    default List<PrintSource> sources() {
        return source().sources();
    }

    @Override
    default List<String> notices() {
        return source().notices();
    }
}
