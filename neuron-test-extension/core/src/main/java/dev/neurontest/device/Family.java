package dev.neurontest.device;

import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;

/** A generation of Neuron hardware. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Family {
    /** Inferentia: NDv1, NCv1. */
    INF1(1),
    /** Inferentia2: NDv3 with cores of version NCv2. */
    INF2(1),
    /** Trainium1, also Trn1n: NDv2, NCv2. */
    TRN1(1),
    /** Trainium2: NDv3, NCv3. */
    TRN2(2),
    /** Trainium3: NDv4, NCv4. */
    TRN3(2),
    /** Hardware unknown to this version. */
    UNKNOWN(1);

    private final int defaultLogicalCoreSize;

    Family(int defaultLogicalCoreSize) {
        this.defaultLogicalCoreSize = defaultLogicalCoreSize;
    }

    /**
     * Returns the default number of physical cores per logical core.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public int defaultLogicalCoreSize() {
        return defaultLogicalCoreSize;
    }

    /**
     * Returns whether the runtime can choose the size of a logical core. On other families the size is fixed.
     *
     * @return true when the size may be 1 or 2
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public boolean pairsCores() {
        return this == TRN2 || this == TRN3;
    }

    /**
     * Returns the family of a device, from the most specific source available. {@code NDv3} alone means Inf2 or Trn2, so the
     * device name or the core's architecture decides.
     */
    static Family of(
            Optional<String> instanceType,
            Optional<String> deviceName,
            Optional<String> device,
            Optional<String> core,
            Optional<String> product) {
        Optional<Family> family = byPrefix(instanceType.orElse(""));
        if (family.isEmpty()) {
            family = byDeviceName(deviceName.orElse(""));
        }
        if (family.isEmpty()) {
            family = byArchitecture(device.orElse(""), core.orElse(""));
        }
        return family.isPresent() ? family.get() : byPrefix(product.orElse("")).orElse(UNKNOWN);
    }

    /** Returns the family of an instance type such as {@code Inf2} in sysfs or {@code trn1n.32xlarge} in EC2. */
    private static Optional<Family> byPrefix(String type) {
        if (type.length() < 4) {
            return Optional.empty();
        }
        return switch (type.substring(0, 4).toLowerCase(Locale.ROOT)) {
            case "inf1" -> Optional.of(INF1);
            case "inf2" -> Optional.of(INF2);
            case "trn1" -> Optional.of(TRN1);
            case "trn2" -> Optional.of(TRN2);
            case "trn3" -> Optional.of(TRN3);
            default -> Optional.empty();
        };
    }

    private static Optional<Family> byDeviceName(String name) {
        return switch (name) {
            case "Inferentia" -> Optional.of(INF1);
            case "Inferentia2" -> Optional.of(INF2);
            case "Trainium1" -> Optional.of(TRN1);
            case "Trainium2" -> Optional.of(TRN2);
            case "Trainium3" -> Optional.of(TRN3);
            default -> Optional.empty();
        };
    }

    private static Optional<Family> byArchitecture(String device, String core) {
        return switch (core) {
            case "NCv1" -> Optional.of(INF1);
            case "NCv2" ->
                switch (device) {
                    case "NDv2" -> Optional.of(TRN1);
                    case "NDv3" -> Optional.of(INF2);
                    default -> Optional.empty();
                };
            case "NCv3" -> Optional.of(TRN2);
            case "NCv4" -> Optional.of(TRN3);
            default -> Optional.empty();
        };
    }
}
