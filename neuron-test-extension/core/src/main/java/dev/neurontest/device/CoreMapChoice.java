package dev.neurontest.device;

import dev.neurontest.internal.device.CoreMap;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The core map of a host, as derived from its files.
 *
 * @param map the most likely map
 * @param doubt the reason why it may be another map; empty when the map is certain
 */
record CoreMapChoice(CoreMap map, Optional<String> doubt) {

    private static final DriverVersion REQUESTS_A_MAP = new DriverVersion("2.28");
    private static final DriverVersion SHOWS_NODE_ID_2 = new DriverVersion("2.23.9");
    private static final DriverVersion STANDARD_WITHOUT_A_NAME = new DriverVersion("2.29");

    /**
     * Chooses the core map by platform. Only dies of an UltraServer may be flipped, and they are flipped if {@code node_id_2} is
     * 1.
     *
     * @param product the DMI product name, if it can be read; a container may hide it from this process but not from the driver
     * @param drivers the possible releases of the driver in ascending order; a single one if its version is known
     * @param attributes the existing class attributes
     * @param node path and content of {@code node_id_2}
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
        // The newest driver is the most likely one.
        for (int i = possible.size() - 1; i >= 0; i--) {
            DriverVersion driver = possible.get(i);
            List<PlatformType> types = product.isPresent()
                    ? List.of(PlatformType.of(product, family, driver))
                    : attributes.platforms(family, driver, node);
            likeliest.add(map(types.get(0), family, driver, node));
            if (types.size() == 1) {
                Optional<String> doubt = doubt(family, product, driver, types.get(0), node);
                if (doubt.isEmpty()) {
                    doubt = ofUnknownName(family, product, driver, types.get(0), attributes, node);
                }
                if (doubt.isPresent()) {
                    doubts.add(doubt.get());
                }
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

    /** Returns every possible map of a machine of this type, the most likely first. */
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
                    "%s is 1 as on the second node of an UltraServer, but driver %s has no UltraServer with the name %s"
                                    .formatted(node.location(), driver, product.orElse("(unreadable)"))
                            + " (its parameter force_userver makes one)");
        }
        if (type == PlatformType.STANDARD
                && family == Family.TRN3
                && product.isEmpty()
                && !driver.atLeast(STANDARD_WITHOUT_A_NAME)) {
            return Optional.of("the product name of the machine cannot be read, and the map that a driver before 2.29"
                    + " derives from that is unknown");
        }
        return Optional.empty();
    }

    /**
     * Returns a doubt if the class attributes contradict the product name. A name newer than this version looks like a standard
     * machine.
     */
    private static Optional<String> ofUnknownName(
            Family family,
            Optional<String> product,
            DriverVersion driver,
            PlatformType type,
            ClassAttributes attributes,
            Node node) {
        if (type != PlatformType.STANDARD || product.isEmpty() || !attributes.identifyPlatform(driver)) {
            return Optional.empty();
        }
        PlatformType byAttributes = attributes.platforms(family, driver, node).get(0);
        Set<CoreMap> maps = maps(byAttributes, family, driver, node);
        return maps.equals(maps(type, family, driver, node))
                ? Optional.empty()
                : Optional.of(
                        "the driver has the class attributes of another platform than expected for a %s, so the order may be %s"
                                .formatted(product.get(), names(maps)));
    }

    private static Optional<String> ofUltraServer(DriverVersion driver, Node node) {
        if (node.content().isEmpty() && !driver.atLeast(SHOWS_NODE_ID_2)) {
            return Optional.of("drivers before 2.23.9 do not show which node of its UltraServer this host is, and the"
                    + " dies of some are flipped");
        }
        if (node.isFlipped()) {
            return Optional.of(
                    "%s is 1, so the dies of this host are flipped, unless a runtime holds its cores in mode X1%s; no file shows that"
                            .formatted(
                                    node.location(),
                                    driver.atLeast(REQUESTS_A_MAP)
                                            ? " or requests a map without the flip, as it can from driver 2.28 on"
                                            : ""));
        }
        return node.isKnown()
                ? Optional.empty()
                : Optional.of(
                        "%s %s, so it is unknown whether the dies of this host are flipped (they are where it is 1)"
                                .formatted(
                                        node.location(),
                                        node.content()
                                                .map("contains "::concat)
                                                .orElse("does not exist or cannot be read")));
    }

    /**
     * The class attributes that differ between platforms, from driver 2.27.4 on. Earlier drivers had the same attributes on every
     * platform.
     *
     * @param nodeCount true if {@code node_cnt} exists, as on PDS and MAX
     * @param nodeId2 true if {@code node_id_2} exists, as on an UltraServer
     * @param ofAll true if an attribute of all platforms exists
     */
    record ClassAttributes(boolean nodeCount, boolean nodeId2, boolean ofAll) {

        private static final DriverVersion BY_PLATFORM = new DriverVersion("2.27.4");

        /** Returns the drivers that create such attributes. Without such attributes, it returns all drivers. */
        List<DriverVersion> possible(List<DriverVersion> drivers) {
            if (!nodeCount && !ofAll) {
                return drivers;
            }
            List<DriverVersion> newer = new ArrayList<>();
            for (DriverVersion driver : drivers) {
                if (driver.atLeast(BY_PLATFORM)) {
                    newer.add(driver);
                }
            }
            return newer.isEmpty() ? drivers : newer;
        }

        /** Returns whether the attributes exist and identify a platform. */
        boolean identifyPlatform(DriverVersion driver) {
            return driver.atLeast(BY_PLATFORM) && (nodeCount || nodeId2 || ofAll);
        }

        /** Returns the possible platforms of a machine without a readable name, the most likely first. */
        List<PlatformType> platforms(Family family, DriverVersion driver, Node node) {
            if (nodeCount) {
                // MAX has the same map as PDS.
                return List.of(PlatformType.PDS);
            }
            if (identifyPlatform(driver)) {
                return List.of(nodeId2 ? PlatformType.ULTRA_SERVER : PlatformType.STANDARD);
            }
            List<PlatformType> types = PlatformType.known(family, driver);
            return node.isFlipped() && types.contains(PlatformType.ULTRA_SERVER)
                    ? Stream.concat(Stream.of(PlatformType.ULTRA_SERVER), types.stream())
                            .distinct()
                            .toList()
                    : types;
        }
    }

    /**
     * The file {@code node_id_2}.
     *
     * @param location full path of the file
     * @param content content of the file; empty when it does not exist or cannot be read
     */
    record Node(String location, Optional<String> content) {

        boolean isFlipped() {
            return content.orElse("").equals("1");
        }

        /** Returns whether the content is a known value. The value {@code -1} means that the election failed; no die is flipped then. */
        boolean isKnown() {
            return content.filter(Set.of("-1", "0", "1")::contains).isPresent();
        }
    }
}
