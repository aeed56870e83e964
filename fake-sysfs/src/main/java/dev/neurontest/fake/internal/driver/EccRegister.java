package dev.neurontest.fake.internal.driver;

import dev.neurontest.fake.internal.driver.instance.NearNames;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;

/** The error-correction registers of a device. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum EccRegister {
    /** Uncorrected errors of on-chip memory. */
    SRAM_UNCORRECTED,
    /** Uncorrected errors of device memory. */
    MEM_UNCORRECTED,
    /** Uncorrected errors of device memory that can be repaired; only arch v3 and later has them. */
    MEM_REPAIRABLE_UNCORRECTED,
    /** Corrected errors of on-chip memory. */
    SRAM_CORRECTED,
    /** Corrected errors of device memory. */
    MEM_CORRECTED;

    private final String registerName = name().toLowerCase(Locale.ROOT);

    /** Returns the name of the file, such as {@code mem_ecc_uncorrected}. */
    public String fileName() {
        return registerName.replaceFirst("_", "_ecc_");
    }

    /**
     * Finds a register by its script name or its file name.
     *
     * @throws IllegalArgumentException when there is none; the message lists all registers
     */
    public static EccRegister named(String name) {
        return NearNames.named("ECC counter", name.replace("_ecc_", "_"), List.of(values()));
    }

    /** Returns the name in scripts, such as {@code mem_uncorrected}. */
    @Override
    public String toString() {
        return registerName;
    }

    boolean uncorrected() {
        return this != SRAM_CORRECTED && this != MEM_CORRECTED;
    }
}
