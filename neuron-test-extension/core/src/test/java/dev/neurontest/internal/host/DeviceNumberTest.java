package dev.neurontest.internal.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceNumberTest {

    @Test
    void parsesAndPrintsSysfsForm() {
        // then
        assertThat(DeviceNumber.parse("243:12\n")).contains(new DeviceNumber(243, 12));
        assertThat(new DeviceNumber(243, 12)).hasToString("243:12");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "243", "243:", ":1", "a:b", "243:1:2", "-1:2", "9999999999:1"})
    void isEmptyForOtherText(String text) {
        // then
        assertThat(DeviceNumber.parse(text)).isEmpty();
    }

    /** Verifies device numbers. The last ones exceed the old 16 bits. */
    @ParameterizedTest
    @CsvSource({"0x103,1,3", "0xf302,243,2", "0x11ff00,511,256", "0xfff0f3ff,243,1048575", "0x100011138870,5000,70000"})
    void splitsNumberLikeCLibrary(String rdev, int major, int minor) {
        // then
        assertThat(DeviceNumber.of(Long.decode(rdev))).isEqualTo(new DeviceNumber(major, minor));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void isPresentOnlyForDeviceNode(@TempDir Path root) throws IOException {
        // given
        Files.writeString(root.resolve("neuron0"), "");

        // then
        assertThat(FileTree.at(Path.of("/")).deviceNumber("dev/null")).contains(new DeviceNumber(1, 3));
        assertThat(FileTree.at(root).deviceNumber("neuron0")).isEmpty();
        assertThat(FileTree.at(root).deviceNumber("neuron1")).isEmpty();
    }
}
