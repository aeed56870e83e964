package dev.neurontest.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class KnownSecretsTest {

    private final KnownSecrets secrets = new KnownSecrets();

    @Test
    void masksValuesOfSecretVariablesWhereverTheyAppear() {
        // given
        secrets.add(
                Map.of("MODEL_HUB_TOKEN", "abc123def456", "LONGER_TOKEN", "abc123def456ghi", "BATCH", "abc123def457"));

        // then
        assertThat(secrets.mask("sent abc123def456, abc123def456ghi and abc123def457"))
                .isEqualTo("sent ***, *** and abc123def457");
    }

    @Test
    void masksEachLineOfAValue() {
        // given
        secrets.add(Map.of("SSH_PRIVATE_KEY", "-----BEGIN X-----\nMIIEpAIBAAKCAQEA1\n-----END X-----\n"));

        // then
        assertThat(secrets.mask("line MIIEpAIBAAKCAQEA1")).isEqualTo("line ***");
    }

    @Test
    void doesNotMaskOrdinaryWords() {
        // given
        secrets.add(Map.of(
                "DB_PASSWORD",
                "neuron",
                "API_TOKEN",
                "123456789012345",
                "SECRET_DIR",
                "/run/secrets/of/1",
                "PGPASSWORD",
                ""));

        // then
        assertThat(secrets.mask("neuron 123456789012345 /run/secrets/of/1"))
                .isEqualTo("neuron 123456789012345 /run/secrets/of/1");
    }
}
