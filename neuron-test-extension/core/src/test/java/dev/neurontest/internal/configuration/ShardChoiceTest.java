package dev.neurontest.internal.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardChoiceTest {

    @Test
    void parsesFixedAutoAndNone() {
        // then
        assertThat(ShardChoice.parse("3/8")).isEqualTo(new ShardChoice.Fixed(3, 8));
        assertThat(ShardChoice.parse("1/1")).isEqualTo(new ShardChoice.Fixed(1, 1));
        assertThat(ShardChoice.parse("auto")).isEqualTo(new ShardChoice.Auto(OptionalInt.empty()));
        assertThat(ShardChoice.parse("auto/8")).isEqualTo(new ShardChoice.Auto(OptionalInt.of(8)));
        assertThat(ShardChoice.parse("none")).isEqualTo(new ShardChoice.None());
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "->",
            value = {
                "9/8 -> the last shard is 8, which is 8/8",
                "0/8 -> the first shard is 1",
                "1/0 -> there are 1 to 100000 shards",
                "1/100001 -> there are 1 to 100000 shards",
                "auto/0 -> there are 1 to 100000 shards",
                "auto/ -> it does not have the form NUMBER/COUNT",
                "x/8 -> it does not have the form NUMBER/COUNT",
                "3 -> it does not have the form NUMBER/COUNT",
                "-1/8 -> it does not have the form NUMBER/COUNT",
                "1/8/9 -> it does not have the form NUMBER/COUNT",
                "99999999999/8 -> it does not have the form NUMBER/COUNT",
            })
    void refusesImpossibleShardWithReason(String text, String reason) {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShardChoice.parse(text))
                .withMessage(reason);
    }
}
