package dev.neurontest.internal.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CoreMapTest {

    private static List<Integer> row(CoreMap map, int device) {
        return IntStream.range(0, 8)
                .mapToObj(position -> map.physical(device, position))
                .toList();
    }

    private static List<Integer> numbers(String row) {
        return Arrays.stream(row.split(" ")).map(Integer::valueOf).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "0 2 8 10, 4 5 6 7 2 3 0 1",
        "1 3 9 11, 2 3 0 1 4 5 6 7",
        "4 6 12 14, 0 1 2 3 6 7 4 5",
        "5 7 13 15, 6 7 4 5 0 1 2 3"
    })
    void matchesDriverTableOnTrn2(String devices, String row) {
        // then
        assertThat(numbers(devices))
                .allSatisfy(device -> assertThat(row(CoreMap.TRN2, device)).isEqualTo(numbers(row)));
    }

    @Test
    void usesRowOfOtherDeviceWhenFlipped() {
        // then
        assertThat(IntStream.range(0, 16).boxed())
                .allSatisfy(device ->
                        assertThat(row(CoreMap.TRN2_FLIPPED, device)).isEqualTo(row(CoreMap.TRN2, device ^ 6)));
        assertThat(row(CoreMap.TRN2_FLIPPED, 0)).isEqualTo(numbers("0 1 2 3 6 7 4 5"));
    }

    @Test
    void differsOnlyBetweenEvenAndOddDevicesOnPds() {
        // then
        assertThat(IntStream.range(0, 8).map(half -> 2 * half).boxed())
                .allSatisfy(device -> assertThat(row(CoreMap.TRN3_PDS, device)).isEqualTo(numbers("4 5 6 7 2 3 0 1")));
        assertThat(IntStream.range(0, 8).map(half -> 2 * half + 1).boxed())
                .allSatisfy(device -> assertThat(row(CoreMap.TRN3_PDS, device)).isEqualTo(numbers("6 7 4 5 0 1 2 3")));
    }

    @Test
    void usesEvenAndOddRowsOfTrn2OnPdsWithDriver226() {
        // then
        assertThat(row(CoreMap.TRN3_PDS_2_26, 14)).isEqualTo(numbers("4 5 6 7 2 3 0 1"));
        assertThat(row(CoreMap.TRN3_PDS_2_26, 15)).isEqualTo(numbers("2 3 0 1 4 5 6 7"));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BY_FAMILY")
    void givesEveryCoreOfADeviceOnce(CoreMap map) {
        // then
        assertThat(IntStream.range(0, 16).boxed())
                .allSatisfy(device -> assertThat(row(map, device)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7));
    }

    @Test
    void refusesPositionAboveSeven() {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CoreMap.TRN2.physical(0, 8))
                .withMessage("TRN2 has positions 0 to 7, not 8");
    }

    @Test
    void byFamilyFailsBeforeHostIsKnown() {
        // then
        assertThatIllegalStateException().isThrownBy(() -> CoreMap.BY_FAMILY.physical(0, 0));
    }
}
