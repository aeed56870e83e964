package dev.neurontest.fake.internal.driver.instance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearNamesTest {

    private static final List<String> KNOWN = List.of("inf1.xlarge", "trn1.2xlarge", "trn1.32xlarge", "trn2.48xlarge");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "trn1.2xlrge | trn1.2xlarge, trn1.32xlarge or trn2.48xlarge",
                "trn2 | trn2.48xlarge, trn1.2xlarge or trn1.32xlarge",
                "inf | inf1.xlarge, trn1.2xlarge or trn1.32xlarge",
                "trn1.16xlarge | trn1.2xlarge, trn1.32xlarge or trn2.48xlarge",
            })
    void theNearestComeFirst(String written, String near) {
        // then
        assertThat(NearNames.question(written, KNOWN))
                .isEqualTo("did you mean " + near + "? All are listed by fake-sysfs list, or neuron-test fake list");
    }
}
