package dev.neurontest.fake.internal.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class FuseDeviceTest {

    @Test
    void eventAfterCloseIsNotWrittenToReusedDescriptor(@TempDir Path folder) throws IOException {
        // given
        Path file = Files.createFile(folder.resolve("of-a-user"));
        int fd = LinuxCalls.open("/dev/null", LinuxCalls.O_RDWR | LinuxCalls.O_CLOEXEC);
        FuseDevice device = new FuseDevice(fd);
        device.close();
        int next = LinuxCalls.open(file.toString(), LinuxCalls.O_RDWR | LinuxCalls.O_CLOEXEC);
        assumeThat(next).as("no other thread took the number").isEqualTo(fd);

        // when
        device.wake(1);
        device.invalidate(1, "neuron0");
        device.close();

        // then
        try {
            assertThat(file).isEmptyFile();
            assertThat(LinuxCalls.dup3(next, next + 1000, LinuxCalls.O_CLOEXEC))
                    .as("the file is still open")
                    .isEqualTo(next + 1000);
            LinuxCalls.close(next + 1000);
        } finally {
            LinuxCalls.close(next);
        }
    }
}
