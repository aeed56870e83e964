package dev.neurontest.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FamilyTest {

    @ParameterizedTest
    @CsvSource({
        // instance_type, device_name, arch_type of the device, arch_type of the core, product, family
        "Inf2,Inferentia2,NDv3,NCv2,inf2.xlarge,INF2",
        "Trn2,Trainium2,NDv3,NCv3,trn2.3xlarge,TRN2",
        "Trn1n,,,,,TRN1",
        ",Inferentia2,NDv3,,,INF2",
        ",Trainium2,NDv3,,,TRN2",
        ",,NDv3,NCv2,,INF2",
        ",,NDv3,NCv3,,TRN2",
        ",,NDv2,NCv2,,TRN1",
        ",,NDv1,NCv1,,INF1",
        ",,NDv4,NCv4,,TRN3",
        ",,,NCv3,,TRN2",
        ",,NDv3,,,UNKNOWN",
        ",,,NCv2,,UNKNOWN",
        ",,v2,v2,inf2.8xlarge,INF2",
        ",,v2,v2,trn1.2xlarge,TRN1",
        ",,,,trn3p.48xlarge,TRN3",
        "Trn9,Trainium9,NDv9,NCv9,trn9.48xlarge,UNKNOWN",
        "x,,,,m5.large,UNKNOWN",
        ",,,,,UNKNOWN"
    })
    void followsMostPreciseSource(
            @Nullable String type,
            @Nullable String name,
            @Nullable String device,
            @Nullable String core,
            @Nullable String product,
            Family family) {
        // then
        assertThat(Family.of(
                        Optional.ofNullable(type),
                        Optional.ofNullable(name),
                        Optional.ofNullable(device),
                        Optional.ofNullable(core),
                        Optional.ofNullable(product)))
                .isEqualTo(family);
    }
}
