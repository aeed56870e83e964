package dev.neurontest.device;

import dev.neurontest.internal.device.CoreMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which map the cores of a host are numbered by, as far as its files tell.
 *
 * @param map the likeliest one
 * @param doubt why it may be another one; empty when it is certain
 */
record CoreMapChoice(CoreMap map, Optional<String> doubt) {

    private static final DriverVersion ASKS_FOR_A_MAP = new DriverVersion("2.28");
    private static final DriverVersion TELLS_NODE_ID_2 = new DriverVersion("2.23.9");
    private static final DriverVersion STANDARD_WITHOUT_A_NAME = new DriverVersion("2.29");

    /**
     * Chooses by platform: only dies of an UltraServer may be flipped, and they are where {@code node_id_2} is 1.
     *
     * @param product the DMI product name, if it can be read; a container may hide it from this process and not from the driver
     * @param drivers the releases that the driver may be, in ascending order; one where its version is known
     * @param attributes which class attributes there are
     * @param node where {@code node_id_2} is and what it says
     */
    static CoreMapChoice of(
            Family family,
            Optional<String> product,
            List<DriverVersion> drivers,
            ClassAttributes attributes,
            Node node) {
        if (!family.pairsCores()) {
            return new CoreMapChoice(CoreMap.IDENTITY, Optional.empty());
        }
        Set<CoreMap> likeliest = new LinkedHashSet<>();
        Set<CoreMap> ofAnyName = new LinkedHashSet<>();
        Set<String> doubts = new LinkedHashSet<>();
        List<DriverVersion> possible = attributes.possible(drivers);
        // the newest driver is the likeliest
        for (int i = possible.size() - 1; i >= 0; i--) {
            DriverVersion driver = possible.get(i);
            List<PlatformType> types = product.isPresent()
                    ? List.of(PlatformType.of(product, family, driver))
                    : attributes.platforms(family, driver, node);
            likeliest.add(map(types.get(0), family, driver, node));
            if (types.size() == 1) {
                doubt(family, product, driver, types.get(0), node)
                        .or(() -> ofUnknownName(family, product, driver, types.get(0), attributes, node))
                        .ifPresent(doubts::add);
            } else {
                types.forEach(type -> ofAnyName.addAll(maps(type, family, driver, node)));
            }
        }
        if (ofAnyName.size() > 1) {
            doubts.add("the product name of the machine cannot be read, so the order may be " + names(ofAnyName));
        } else if (likeliest.size() > 1) {
            doubts.add("the version of the driver is unknown, and drivers number the cores of a %s by %s"
                    .formatted(product.orElse("machine without a name"), names(likeliest)));
        }
        return new CoreMapChoice(
                likeliest.iterator().next(),
                doubts.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", doubts)));
    }

    private static String names(Set<CoreMap> maps) {
        return maps.stream().map(CoreMap::setting).collect(Collectors.joining(" or "));
    }

    private static CoreMap map(PlatformType type, Family family, DriverVersion driver, Node node) {
        return type == PlatformType.ULTRA_SERVER && node.isFlipped()
                ? CoreMap.TRN2_FLIPPED
                : type.coreMap(family, driver);
    }

    /** Every map that a machine of this type may have, the likeliest first. */
    private static Set<CoreMap> maps(PlatformType type, Family family, DriverVersion driver, Node node) {
        Set<CoreMap> maps = new LinkedHashSet<>();
        maps.add(map(type, family, driver, node));
        if (type == PlatformType.ULTRA_SERVER && ofUltraServer(driver, node).isPresent()) {
            maps.add(CoreMap.TRN2_FLIPPED);
            maps.add(type.coreMap(family, driver));
        }
        return maps;
    }

    private static Optional<String> doubt(
            Family family, Optional<String> product, DriverVersion driver, PlatformType type, Node node) {
        if (type == PlatformType.ULTRA_SERVER) {
            return ofUltraServer(driver, node);
        }
        if (type == PlatformType.STANDARD && node.isFlipped()) {
            return Optional.of(
                    "%s is 1 as on the second node of an UltraServer, but driver %s knows no UltraServer of the name %s"
                                    .formatted(node.location(), driver, product.orElse("(unreadable)"))
                            + " (its parameter force_userver makes one)");
        }
        if (type == PlatformType.STANDARD
                && family == Family.TRN3
                && product.isEmpty()
                && !driver.atLeast(STANDARD_WITHOUT_A_NAME)) {
            return Optional.of("the product name of the machine cannot be read, and what a driver before 2.29 makes of"
                    + " that is not known");
        }
        return Optional.empty();
    }

    /** A name that became known after this version was built looks like one of a standard machine. */
    private static Optional<String> ofUnknownName(
            Family family,
            Optional<String> product,
            DriverVersion driver,
            PlatformType type,
            ClassAttributes attributes,
            Node node) {
        if (type != PlatformType.STANDARD || product.isEmpty() || !attributes.tell(driver)) {
            return Optional.empty();
        }
        PlatformType told = attributes.platforms(family, driver, node).get(0);
        Set<CoreMap> maps = maps(told, family, driver, node);
        return maps.equals(maps(type, family, driver, node))
                ? Optional.empty()
                : Optional.of(
                        "the driver makes the class attributes of another platform than it is known to make for a %s, so the order may be %s"
                                .formatted(product.get(), names(maps)));
    }

    private static Optional<String> ofUltraServer(DriverVersion driver, Node node) {
        if (node.content().isEmpty() && !driver.atLeast(TELLS_NODE_ID_2)) {
            return Optional.of("drivers before 2.23.9 do not tell which node of its UltraServer this host is, and the"
                    + " dies of some are flipped");
        }
        if (node.isFlipped()) {
            return Optional.of(
                    "%s is 1, so the dies of this host are flipped, unless a runtime holds its cores in mode X1%s; no file tells"
                            .formatted(
                                    node.location(),
                                    driver.atLeast(ASKS_FOR_A_MAP)
                                            ? " or asks for a map without that, as it may from driver 2.28 on"
                                            : ""));
        }
        return node.isKnown()
                ? Optional.empty()
                : Optional.of(
                        "%s %s, so it is not known whether the dies of this host are flipped (they are where it is 1)"
                                .formatted(
                                        node.location(),
                                        node.content().map("says "::concat).orElse("is not there or cannot be read")));
    }

    /**
     * The class attributes that tell platforms apart from driver 2.27.4 on. Before, every platform had the same ones.
     *
     * @param nodeCount whether there is {@code node_cnt}, which PDS and MAX have
     * @param nodeId2 whether there is {@code node_id_2}, which an UltraServer has
     * @param ofAll whether there is one of those that all platforms have
     */
    record ClassAttributes(boolean nodeCount, boolean nodeId2, boolean ofAll) {

        private static final DriverVersion BY_PLATFORM = new DriverVersion("2.27.4");

        /** Of the drivers those that make such attributes; all where none does. */
        List<DriverVersion> possible(List<DriverVersion> drivers) {
            List<DriverVersion> newer = drivers.stream()
                    .filter(driver -> driver.atLeast(BY_PLATFORM))
                    .toList();
            return (nodeCount || ofAll) && !newer.isEmpty() ? newer : drivers;
        }

        /** Whether there are some, and they are those of one platform. */
        boolean tell(DriverVersion driver) {
            return driver.atLeast(BY_PLATFORM) && (nodeCount || nodeId2 || ofAll);
        }

        /** What a machine without a readable name may be, the likeliest first. */
        List<PlatformType> platforms(Family family, DriverVersion driver, Node node) {
            if (nodeCount) {
                // MAX has the map of PDS
                return List.of(PlatformType.PDS);
            }
            if (tell(driver)) {
                return List.of(nodeId2 ? PlatformType.ULTRA_SERVER : PlatformType.STANDARD);
            }
            List<PlatformType> known = PlatformType.known(family, driver);
            return node.isFlipped() && known.contains(PlatformType.ULTRA_SERVER)
                    ? Stream.concat(Stream.of(PlatformType.ULTRA_SERVER), known.stream())
                            .distinct()
                            .toList()
                    : known;
        }
    }

    /**
     * What {@code node_id_2} says.
     *
     * @param location where it is
     * @param content empty when there is none or it cannot be read
     */
    record Node(String location, Optional<String> content) {

        boolean isFlipped() {
            return content.filter("1"::equals).isPresent();
        }

        /** {@code -1} is no node: the election failed, and then nothing is flipped. */
        boolean isKnown() {
            return content.filter(Set.of("-1", "0", "1")::contains).isPresent();
        }
    }
}
