package dev.neurontest.internal.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CreationWaitTest {

    private final List<Boolean> attempts = new ArrayList<>();

    @Test
    void returnsResultOfLaterAttempt() throws IOException {
        // when
        String opened = CreationWait.await(last -> {
            attempts.add(last);
            return attempts.size() == 3 ? Optional.of("opened") : Optional.empty();
        });

        // then
        assertThat(opened).isEqualTo("opened");
        assertThat(attempts).hasSize(3);
    }

    @Test
    void throwsExceptionOfLastAttempt() {
        // then
        assertThatExceptionOfType(AccessDeniedException.class)
                .isThrownBy(() -> CreationWait.await(last -> {
                    attempts.add(last);
                    if (last) {
                        throw new AccessDeniedException("leases-1");
                    }
                    return Optional.empty();
                }));
        assertThat(attempts).as("about one in ten milliseconds").hasSizeBetween(2, 200);
        assertThat(attempts.subList(0, attempts.size() - 1)).containsOnly(false);
    }
}
