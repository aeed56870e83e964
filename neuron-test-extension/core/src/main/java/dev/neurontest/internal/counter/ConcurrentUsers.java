package dev.neurontest.internal.counter;

import dev.neurontest.counter.CounterPlace;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The other tests and processes on the devices during a measurement. A name with devices in it, such as {@code neuron0}, concerns
 * these devices. A name without a device may concern any of them.
 *
 * @param names names of leases and processes
 * @param shown returns a name as shown in messages; only the name itself decides
 * @param ofThisRun whether a process, by its number, runs tests of the same build
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ConcurrentUsers(List<String> names, UnaryOperator<String> shown, LongPredicate ofThisRun) {

    public static final ConcurrentUsers NONE = new ConcurrentUsers(List.of());

    /** A name of a lease, which ends with its JVM and its cores. */
    private static final Pattern LEASE = Pattern.compile(
            ".* \\(pid (\\d{1,18})\\) on ((?:(?! \\(pid ).)*neuron\\d+/(?:(?! \\(pid ).)*)", Pattern.DOTALL);

    private static final Pattern CORE = Pattern.compile("\\bneuron\\d+/neuron_core\\d+\\b");

    private static final Pattern DEVICE = Pattern.compile("\\bneuron\\d+\\b");

    private static final int NAMED = 4;

    /** Creates a list without duplicates. */
    public ConcurrentUsers {
        names = List.copyOf(new LinkedHashSet<>(names));
    }

    /** Creates a list of users of other builds. */
    public ConcurrentUsers(List<String> names) {
        this(names, UnaryOperator.identity(), process -> false);
    }

    /**
     * Returns whether only tests of the same build can have used a core: one of them leased it, and every other user of the device had
     * leased other cores.
     */
    public boolean isUsedByThisRun(CounterPlace core) {
        boolean used = false;
        for (String name : namesOn(List.of(core))) {
            Matcher lease = LEASE.matcher(name);
            if (!lease.matches()) {
                return false;
            }
            if (CORE.matcher(lease.group(2))
                    .results()
                    .anyMatch(each -> each.group().equals(core.toString()))) {
                if (!ofThisRun.test(Long.parseLong(lease.group(1)))) {
                    return false;
                }
                used = true;
            }
        }
        return used;
    }

    /** Returns the users that may have used the devices of some places, as shown in messages. */
    public List<String> on(Collection<CounterPlace> places) {
        return namesOn(places).stream().map(shown).toList();
    }

    private List<String> namesOn(Collection<CounterPlace> places) {
        if (names.isEmpty() || places.isEmpty()) {
            return List.of();
        }
        Set<String> devices = places.stream()
                .map(place -> CounterPlace.ofDevice(place.device()).toString())
                .collect(Collectors.toSet());
        return names.stream().filter(name -> mayBeOn(devices, name)).toList();
    }

    private static boolean mayBeOn(Set<String> devices, String name) {
        List<String> mentioned =
                DEVICE.matcher(name).results().map(MatchResult::group).toList();
        return mentioned.isEmpty() || mentioned.stream().anyMatch(devices::contains);
    }

    /**
     * Returns some names in one line, separated by semicolons because a name may contain commas.
     *
     * @return the first names, and the number of the others
     */
    public static String named(List<String> names) {
        String some = names.stream().limit(NAMED).collect(Collectors.joining("; "));
        return names.size() > NAMED ? some + " and " + (names.size() - NAMED) + " more" : some;
    }
}
