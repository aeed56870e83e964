package dev.neurontest.internal.device.runtime;

import dev.neurontest.device.Family;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.text.RangeText;
import dev.neurontest.runtime.RuntimeStatus;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The groups of logical cores for the collectives of a host: their sizes and first cores.
 *
 * <p>The sizes for Inf2, Trn1 and Trn2 are from the feature guide of NxD Inference (SDK 2.32). The release notes of the runtime
 * add groups of 4 on Trn1. There is no documentation for other families, for other machines of the family Trn2, and for Trn2 with
 * logical cores of one physical core.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CollectiveGroups {

    private static final Map<Family, List<Integer>> SIZES = Map.of(
            Family.INF2, List.of(1, 2, 4, 8, 24),
            Family.TRN1, List.of(1, 2, 4, 8, 16, 32),
            Family.TRN2, List.of(1, 2, 4, 8, 16, 32, 64));

    private static final Pattern DOCUMENTED_TRN2 = Pattern.compile("trn2u?\\.\\w+");

    /** Size of a Trn1 group of adjacent cores that older runtimes refuse. */
    private static final int SINCE_RUNTIME_2_23 = 4;

    private static final int INVALID = 2;
    private static final int OUT_OF_BOUNDS = 1006;

    private final Family family;
    private final int cores;
    private final List<Integer> sizes;

    private CollectiveGroups(Family family, int cores, List<Integer> sizes) {
        this.family = family;
        this.cores = cores;
        this.sizes = sizes;
    }

    /**
     * Finds the groups of a host.
     *
     * @return the groups; without sizes if they are not documented
     */
    public static CollectiveGroups of(NeuronHost host) {
        Family family = host.devices().get(0).architecture().family();
        int cores = host.cores().size();
        List<Integer> sizes = isDocumented(family, host) ? SIZES.getOrDefault(family, List.of()) : List.of();
        return new CollectiveGroups(
                family, cores, sizes.stream().filter(size -> size <= cores).toList());
    }

    private static boolean isDocumented(Family family, NeuronHost host) {
        return family != Family.TRN2
                || host.logicalCoreSize() == family.defaultLogicalCoreSize()
                        && host.instanceType()
                                .map(type -> DOCUMENTED_TRN2.matcher(type).matches())
                                .orElse(true);
    }

    /**
     * Returns the documented sizes of a group.
     *
     * @return sizes in ascending order, at most the number of cores of the host; empty if they are not documented
     */
    public List<Integer> sizes() {
        return sizes;
    }

    /**
     * Returns the reason why collectives do not run on the given number of cores of the host.
     *
     * @param size number of cores
     * @return a clause with advice; empty if they run, if the host has fewer cores, and without documentation
     */
    public Optional<String> refusal(int size) {
        return sizes.isEmpty() || sizes.contains(size) || size > cores
                ? Optional.empty()
                : Optional.of(
                        "collectives of %s run on %s cores here, not on %s. Request one of these numbers, or leave out collectives = true if the program uses no collectives."
                                .formatted(name(), alternatives(), size));
    }

    /**
     * Returns a remark on the cores of a failed program if their number or position can be the cause.
     *
     * @param cores adjacent cores of the program
     * @param statuses statuses reported by its runtime
     * @return one or two sentences; empty for other failures and for documented groups
     */
    public static Optional<String> remark(List<NeuronCore> cores, Collection<RuntimeStatus> statuses) {
        boolean mayFollow =
                statuses.stream().anyMatch(status -> status.code() == INVALID || status.code() == OUT_OF_BOUNDS);
        return mayFollow && !cores.isEmpty() ? of(cores.get(0).device().host()).remark(cores) : Optional.empty();
    }

    private Optional<String> remark(List<NeuronCore> group) {
        List<Integer> indices =
                group.stream().map(NeuronCore::index).sorted().distinct().toList();
        int size = indices.size();
        if (sizes.isEmpty()) {
            return Optional.empty();
        }
        if (!sizes.contains(size)) {
            return Optional.of(
                    "Collectives of %s run on %s cores, and this program had %s (cores %s). If it uses collectives, request one of these numbers with @Count(value = %s, collectives = true)."
                            .formatted(name(), alternatives(), size, RangeText.of(indices), nearest(size)));
        }
        if (family == Family.TRN1 && size == SINCE_RUNTIME_2_23) {
            return Optional.of("A group of 4 cores for collectives on Trn1 requires runtime 2.23.110 or later.");
        }
        return family == Family.TRN2 && indices.get(0) % size != 0
                ? Optional.of(
                        "Collectives of %s start at a multiple of the size of their group, and this program had cores %s. If it uses collectives, request its cores with @Count(value = %s, collectives = true)."
                                .formatted(name(), RangeText.of(indices), size))
                : Optional.empty();
    }

    /** Returns the largest documented size below the given number of cores. */
    private int nearest(int size) {
        return sizes.stream().filter(each -> each < size).reduce(1, Math::max);
    }

    private String alternatives() {
        String last = String.valueOf(sizes.get(sizes.size() - 1));
        String others =
                sizes.stream().limit(sizes.size() - 1L).map(String::valueOf).collect(Collectors.joining(", "));
        return others.isEmpty() ? last : others + " or " + last;
    }

    private String name() {
        String upper = family.name();
        return upper.charAt(0) + upper.substring(1).toLowerCase(Locale.ROOT);
    }
}
