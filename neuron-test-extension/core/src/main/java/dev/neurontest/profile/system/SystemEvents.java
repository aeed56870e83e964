package dev.neurontest.profile.system;

import dev.neurontest.profile.table.ProfileTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;

/**
 * What was read of a system profile, in memory that does not grow with it.
 *
 * @param times by name, those that took longest in all first
 * @param timeline for a picture
 * @param use of the host
 * @param dropped sentences that say which events are lost
 * @param warnings of the tool about anything else
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record SystemEvents(
        List<EventTimes> times, Timeline timeline, HostUse use, List<String> dropped, List<String> warnings) {

    /** Nothing was read. */
    public static final SystemEvents NONE =
            new SystemEvents(List.of(), Timeline.EMPTY, HostUse.UNKNOWN, List.of(), List.of());

    /** As many events of one core the runtime keeps unless it is told otherwise; older ones it drops without a word. */
    public static final long MOST_PER_CORE = 1_000_000;

    /**
     * Reads tables.
     *
     * @param tables of a system profile
     * @param mostPerCore how many events of a core the runtime kept at most
     * @return what is in them
     * @throws dev.neurontest.profile.table.TablesException when they cannot be read
     */
    public static SystemEvents of(ProfileTables tables, long mostPerCore) {
        return new SystemTables(tables, mostPerCore).read();
    }

    /**
     * Reads what tools up to SDK 2.33 write as {@code system_profile.json}.
     *
     * @param json the file
     * @param mostPerCore how many events of a core the runtime kept at most
     * @return what is in it
     * @throws IOException when it cannot be read to its end, or has more than a million events
     */
    public static SystemEvents of(Path json, long mostPerCore) throws IOException {
        return new SystemJson(json, mostPerCore).read();
    }

    /** The runtime's buffer is a ring. */
    static String full(String core, long events, long most) {
        return String.format(
                Locale.ROOT,
                "%s has %,d events, and the runtime keeps the last %,d of a core: older ones may be lost. Trace less, such as by eventTypes(...), or keep more by mostEvents(...).",
                core,
                events,
                most);
    }
}
