package dev.neurontest.device;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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
     * @param product the DMI product name, if it can be read
     * @param drivers the releases that the driver may be, in ascending order; one where its version is known
     * @param node where {@code node_id_2} is and what it says
     */
    static CoreMapChoice of(Family family, Optional<String> product, List<DriverVersion> drivers, Node node) {
        if (!family.pairsCores()) {
            return new CoreMapChoice(CoreMap.IDENTITY, Optional.empty());
        }
        Set<CoreMap> possible = new LinkedHashSet<>();
        Set<String> doubts = new LinkedHashSet<>();
        // the newest driver is the likeliest
        for (int i = drivers.size() - 1; i >= 0; i--) {
            DriverVersion driver = drivers.get(i);
            PlatformType type = PlatformType.of(product, family, driver);
            CoreMap map = type.coreMap(family, driver);
            boolean flipped = type == PlatformType.ULTRA_SERVER && node.isFlipped();
            possible.add(flipped ? CoreMap.TRN2_FLIPPED : map);
            doubt(family, product, driver, type, node).ifPresent(doubts::add);
        }
        if (possible.size() > 1) {
            doubts.add("the version of the driver is unknown, and drivers number the cores of a %s by %s"
                    .formatted(
                            product.orElse("machine without a name"),
                            possible.stream().map(CoreMap::name).collect(Collectors.joining(" or "))));
        }
        return new CoreMapChoice(
                possible.iterator().next(),
                doubts.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", doubts)));
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
        if (family == Family.TRN3 && product.isEmpty() && !driver.atLeast(STANDARD_WITHOUT_A_NAME)) {
            return Optional.of("the product name of the machine cannot be read, and what a driver before 2.29 makes of"
                    + " that is not known");
        }
        return Optional.empty();
    }

    private static Optional<String> ofUltraServer(DriverVersion driver, Node node) {
        if (node.content().isEmpty() && !driver.atLeast(TELLS_NODE_ID_2)) {
            return Optional.of("drivers before 2.23.9 do not tell which node of its UltraServer this host is, and the"
                    + " dies of some are flipped");
        }
        if (node.isFlipped() && driver.atLeast(ASKS_FOR_A_MAP)) {
            return Optional.of(
                    "%s is 1, so the dies of this host are flipped, but from driver 2.28 on a runtime may ask for"
                                    .formatted(node.location())
                            + " a map without that, and which one it asks for is not known");
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
