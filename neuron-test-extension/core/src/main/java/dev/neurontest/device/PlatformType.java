package dev.neurontest.device;

import dev.neurontest.internal.device.CoreMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The platform type that the driver derives from the DMI product name of a machine. The driver compares each known name with the
 * beginning of the product name, and the first match decides. A machine with an unknown name is a standard machine. A driver contains only the names that existed at
 * its build.
 */
enum PlatformType {
    /** Machines without a known name, and all of Inf1, Inf2 and Trn1. */
    STANDARD,
    /** One of two or four machines with linked devices. Only on this platform can dies be flipped. */
    ULTRA_SERVER,
    /** Machines that the driver calls PDS. */
    PDS,
    /** Machines that the driver calls MAX. */
    MAX;

    /** Releases that changed the names, the maps or the rules. Without a readable version, all of these are possible that fit the
     * files of the driver. */
    static final List<DriverVersion> RELEASES = List.of(
            new DriverVersion("2.19.64.0"),
            new DriverVersion("2.23.9.0"),
            new DriverVersion("2.25.4.0"),
            new DriverVersion("2.26.5.0"),
            new DriverVersion("2.27.4.0"),
            new DriverVersion("2.28.0.0"),
            new DriverVersion("2.29.0.0"),
            new DriverVersion("2.30.2.0"));

    private static final List<Name> NAMES = List.of(
            new Name("trn2p.48xlarge", Family.TRN2, ULTRA_SERVER, "2.19.64.0", null),
            new Name("trn2u.48xlarge", Family.TRN2, ULTRA_SERVER, "2.19.64.0", null),
            new Name("trn2eu.48xlarge", Family.TRN2, ULTRA_SERVER, "2.23.9.0", null),
            new Name("trn2u-ac.24xlarge", Family.TRN2, ULTRA_SERVER, "2.25.4.0", null),
            new Name("trn2es.48xlarge", Family.TRN2, PDS, "2.25.4.0", null),
            new Name("trn2en.24xlarge", Family.TRN2, MAX, "2.29.0.0", null),
            new Name("trn3s.48xlarge", Family.TRN3, PDS, "2.25.4.0", "2.28"),
            new Name("trn3-dev0.48xlarge", Family.TRN3, PDS, "2.25.4.0", null),
            new Name("trn3p.48xlarge", Family.TRN3, ULTRA_SERVER, "2.26.5.0", null),
            new Name("trn3.48xlarge", Family.TRN3, PDS, "2.28.0.0", null),
            new Name("trn3-dev1.48xlarge", Family.TRN3, PDS, "2.28.0.0", null),
            new Name("trn3e.24xlarge", Family.TRN3, MAX, "2.29.0.0", null),
            new Name("trn3e-dev0.24xlarge", Family.TRN3, MAX, "2.29.0.0", null),
            new Name("trn3s-es.48xlarge", Family.TRN3, PDS, "2.30.2.0", null),
            new Name("trn3sn.48xlarge", Family.TRN3, PDS, "2.30.2.0", null),
            new Name("trn3sn-es.48xlarge", Family.TRN3, PDS, "2.30.2.0", null));

    /** A product name known to the drivers from one release (inclusive) to another (exclusive). */
    private record Name(
            String prefix,
            Family family,
            PlatformType type,
            String from,
            @Nullable String before) {

        boolean fits(String product, Family machine, DriverVersion driver) {
            return product.startsWith(prefix)
                    && family == machine
                    && driver.atLeast(from)
                    && (before == null || !driver.atLeast(before));
        }
    }

    /**
     * Returns the platform type that a driver derives for a machine.
     *
     * @param product the DMI product name; a machine without one is a standard machine
     */
    static PlatformType of(Optional<String> product, Family family, DriverVersion driver) {
        if (product.isPresent()) {
            for (Name name : NAMES) {
                if (name.fits(product.get(), family, driver)) {
                    return name.type;
                }
            }
        }
        return STANDARD;
    }

    /** Returns all platform types that a driver can derive for machines of a family. */
    static List<PlatformType> known(Family family, DriverVersion driver) {
        return Stream.concat(
                        Stream.of(STANDARD),
                        NAMES.stream()
                                .filter(name -> name.fits(name.prefix(), family, driver))
                                .map(Name::type)
                                .sorted())
                .distinct()
                .toList();
    }

    /** Returns the map of physical cores that a driver uses for this platform if no dies are flipped. */
    CoreMap coreMap(Family family, DriverVersion driver) {
        return switch (family) {
            case TRN2 -> CoreMap.TRN2;
            case TRN3 -> this == MAX || this == PDS ? pdsMap(driver) : CoreMap.TRN2;
            default -> CoreMap.IDENTITY;
        };
    }

    private static CoreMap pdsMap(DriverVersion driver) {
        if (driver.atLeast("2.27.4")) {
            return CoreMap.TRN3_PDS;
        }
        return driver.atLeast("2.26.5") ? CoreMap.TRN3_PDS_2_26 : CoreMap.TRN2;
    }
}
