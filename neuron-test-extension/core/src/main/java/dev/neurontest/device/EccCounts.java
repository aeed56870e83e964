package dev.neurontest.device;

import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * Memory errors of a device since it was powered, from {@code stats/hardware}. The driver reads 16-bit registers for each of
 * them. A count is empty where the driver or the hardware has no such file, which is not 0.
 *
 * @param sramUncorrected {@code sram_ecc_uncorrected}
 * @param memUncorrected {@code mem_ecc_uncorrected}
 * @param memRepairableUncorrected {@code mem_ecc_repairable_uncorrected}
 * @param sramCorrected {@code sram_ecc_corrected}, from driver 2.30 on
 * @param memCorrected {@code mem_ecc_corrected}, from driver 2.30 on
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record EccCounts(
        OptionalLong sramUncorrected,
        OptionalLong memUncorrected,
        OptionalLong memRepairableUncorrected,
        OptionalLong sramCorrected,
        OptionalLong memCorrected) {}
