package dev.neurontest.internal.print.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.configuration.WorkloadPrints;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.internal.print.PrintSequence;
import dev.neurontest.internal.print.stream.EventFixture;
import dev.neurontest.internal.print.stream.PrintLog;
import dev.neurontest.internal.print.stream.StreamOptions;
import dev.neurontest.laptop.Laptop;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintOrigin;
import dev.neurontest.tensor.Npy;
import dev.neurontest.tensor.TensorBytes;
import dev.neurontest.tensor.TensorView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of files that the consumers of frameworks write below {@code NEURON_RT_DEBUG_OUTPUT_DIR}. */
class PrintFilesTest {

    private static final Instant LONG_AGO = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    private Path root;

    private int seconds;

    private void write(String file, byte[] content) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.write(path, content);
        Files.setLastModifiedTime(path, FileTime.from(LONG_AGO.plusSeconds(seconds++)));
    }

    private void write(String file, String content) throws IOException {
        write(file, content.getBytes(StandardCharsets.UTF_8));
    }

    private void tensor(String folder, String metadata, byte[] data) throws IOException {
        write(folder + "/tensor_data.bin", data);
        write(folder + "/formatted_tensor.txt", "not looked at");
        write(folder + "/metadata.txt", metadata);
    }

    private PrintFeed collect() {
        return PrintFiles.collect(root);
    }

    private static byte[] bytes(TensorBytes bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        bytes.copyTo(out);
        return out.toByteArray();
    }

    private static String text(TensorBytes bytes) throws IOException {
        return new String(bytes(bytes), StandardCharsets.UTF_8);
    }

    @Test
    void aTensorWithMetadataIsAPrint() throws IOException {
        // given
        tensor("acc/core_1/0", "dtype = int32\nshape = (1, 2)\ndata_size = 8\n", EventFixture.ints(3, 4));

        // when
        PrintFeed prints = collect();

        // then
        assertThat(prints.prints()).hasSize(1);
        assertThat(prints.prints().get(0))
                .returns("acc", DevicePrint::prefix)
                .returns("int32", DevicePrint::dtype)
                .returns(List.of(1L, 2L), DevicePrint::shape)
                .returns(1, DevicePrint::coreIndex)
                .returns(-1L, DevicePrint::coreId)
                .returns(-1L, DevicePrint::pipe)
                .returns(LONG_AGO.plusSeconds(2), DevicePrint::arrived)
                .returns(PrintOrigin.FILES, DevicePrint::origin);
        assertThat(bytes(prints.prints().get(0).data())).isEqualTo(EventFixture.ints(3, 4));
        assertThat(prints.oddEvents()).isEmpty();
        assertThat(prints.doubts()).isEmpty();
    }

    @Test
    void largeTensorIsReadCompletely() throws IOException {
        // given
        byte[] large = new byte[3 << 20];
        large[large.length - 1] = 7;
        tensor("acc/core_0/0", "dtype = uint8\nshape = (3145728,)\n", large);

        // then
        assertThat(bytes(collect().prints().get(0).data())).isEqualTo(large);
    }

    @Test
    void aPrefixMayHaveSlashes() throws IOException {
        // given
        tensor("layer/0/core_5/q/core_1/12", "dtype = int32\nshape = ()\n", EventFixture.ints(3));

        // then
        assertThat(collect().prints()).extracting(DevicePrint::prefix).containsExactly("layer/0/core_5/q");
    }

    @Test
    void aPrefixHasSlashesOnWindowsToo() throws IOException {
        // given
        tensor("layer/0/core_5/0", "dtype = int32\nshape = ()\n", EventFixture.ints(3));

        // then
        assertThat(PrintFiles.collect(Laptop.WINDOWS.path(root)).prints())
                .extracting(DevicePrint::prefix)
                .containsExactly("layer/0");
    }

    @Test
    void printsFollowOrderOfWriting() throws IOException {
        // given
        for (int iteration = 0; iteration < 11; iteration++) {
            tensor("b/core_0/" + iteration, "dtype = int32\nshape = ()\n", EventFixture.ints(iteration));
        }
        tensor("a/core_0/0", "dtype = int32\nshape = ()\n", EventFixture.ints(11));

        // when
        List<DevicePrint> prints = collect().prints();

        // then
        assertThat(PrintSequence.of(prints).isWhole()).isTrue();
        assertThat(prints).extracting(DevicePrint::order).startsWith(0L, 1L, 2L).endsWith(11L);
        assertThat(prints.get(11).prefix()).isEqualTo("a");
    }

    @Test
    void truncatedTensorIsKeptAsOddEvent() throws IOException {
        // given
        tensor("acc/core_0/0", "dtype = int32\nshape = (2,)\ndata_size = 8\n", EventFixture.ints(3));

        // when
        PrintFeed prints = collect();

        // then
        assertThat(prints.prints()).isEmpty();
        assertThat(prints.oddEvents()).hasSize(1);
        assertThat(prints.oddEvents().get(0).reason())
                .isEqualTo(
                        "acc/core_0/0/tensor_data.bin is not a readable print: metadata.txt declares 8 bytes, but there are 4: the workload may have been ended while it wrote");
        assertThat(bytes(prints.oddEvents().get(0).payload())).isEqualTo(EventFixture.ints(3));
    }

    @Test
    void textAloneIsParsed() throws IOException {
        // given
        write("acc/core_0/0/tensor.txt", "[[1. 2.]\n [3. 4.5]]\n");

        // when
        DevicePrint print = collect().prints().get(0);

        // then
        assertThat(print)
                .returns(PrintOrigin.TEXT, DevicePrint::origin)
                .returns("float64", DevicePrint::dtype)
                .returns(List.of(2L, 2L), DevicePrint::shape);
        assertThat(Double.longBitsToDouble(print.data().longAt(24))).isEqualTo(4.5);
    }

    @Test
    void textUsesDtypeOfMetadata() throws IOException {
        // given
        write("acc/core_0/0/metadata.txt", "dtype = bfloat16\nshape = (1, 2)\n");
        write("acc/core_0/0/formatted_tensor.txt", "[1.0000 -0.3340]");

        // when
        DevicePrint print = collect().prints().get(0);

        // then
        assertThat(print.dtype()).isEqualTo("bfloat16");
        assertThat(print.shape()).containsExactly(1L, 2L);
        assertThat(bytes(print.data())).isEqualTo(new byte[] {(byte) 0x80, 0x3F, (byte) 0xAB, (byte) 0xBE});
    }

    @Test
    void otherFilesAreKeptAsOddEvents() throws IOException {
        // given
        write("print_c_tile/core_0/0/tensor.pt", "PK...");
        write("notes.md", "hello");

        // when
        PrintFeed prints = collect();

        // then
        assertThat(prints.oddEvents())
                .extracting(OddEvent::reason)
                .containsExactly(
                        "print_c_tile/core_0/0/tensor.pt is not a readable print: there is neither a metadata.txt with one .bin file, nor one .npy file, nor a text file",
                        "notes.md is not a readable print: it is not in a folder <prefix>/core_<core>/<iteration>");
        assertThat(text(prints.oddEvents().get(0).payload())).isEqualTo("PK...");
    }

    @Test
    void tensorWithoutShapeIsOddEvent() throws IOException {
        // given
        tensor("acc/core_0/0", "dtype = int32\n", EventFixture.ints(3));

        // then
        assertThat(collect().oddEvents())
                .extracting(OddEvent::reason)
                .allSatisfy(reason -> assertThat(reason).endsWith("metadata.txt contains no dtype and shape"));
    }

    @Test
    void linksAreNotFollowed(@TempDir Path folder) throws IOException {
        // given
        Path outside = Files.createFile(folder.resolve("outside.bin"));
        Files.createDirectories(root.resolve("acc/core_0/0"));
        Files.createSymbolicLink(root.resolve("acc/core_0/0/tensor_data.bin"), outside);
        Files.createSymbolicLink(root.resolve("everything"), outside.getParent());

        // when
        PrintFeed prints = collect();

        // then
        assertThat(prints.prints()).isEmpty();
        assertThat(prints.oddEvents()).isEmpty();
    }

    @Test
    void tooDeepFoldersCauseDoubt() throws IOException {
        // given
        tensor("a/".repeat(60) + "core_0/0", "dtype = int32\nshape = (1,)\n", EventFixture.ints(3));
        tensor("acc/core_0/0", "dtype = int32\nshape = (1,)\n", EventFixture.ints(3));

        // then
        assertThat(collect().prints()).hasSize(1);
        assertThat(collect().doubts()).extracting(PrintDoubt::kind).containsExactly(PrintDoubt.Kind.LOST);
    }

    @Test
    void emptyFolderMakesPrintsUnavailable() {
        // then
        assertThat(collect().doubts())
                .containsExactly(new PrintDoubt(
                        PrintDoubt.Kind.UNAVAILABLE,
                        "The workload wrote nothing to %s: it printed nothing, or it does not honour NEURON_RT_DEBUG_OUTPUT_DIR, which the runtime itself does not read. Check it with a kernel that is known to print."
                                .formatted(root)));
    }

    @Test
    void printsAreReadInInterruptedThread() throws IOException {
        // given
        tensor("acc/core_1/0", "dtype = int32\nshape = ()\n", EventFixture.ints(3));

        // when
        Thread.currentThread().interrupt();
        PrintFeed prints = collect();
        boolean interrupted = Thread.interrupted();

        // then
        assertThat(interrupted).isTrue();
        assertThat(prints.prints()).hasSize(1);
    }

    @Test
    void printsInFolderOfProgramCountUntilItEnds() throws IOException {
        // given
        ChildPrints prints =
                ChildPrints.open(WorkloadPrints.FILES, () -> root, StreamOptions.DEFAULTS, new PrintLog(() -> root));
        Path told = Path.of(prints.environment(java.util.Map.of()).get("NEURON_RT_DEBUG_OUTPUT_DIR"));

        // when
        tensor(root.relativize(told) + "/acc/core_0/0", "dtype = int32\nshape = ()\n", EventFixture.ints(3));
        prints.close();
        tensor(root.relativize(told) + "/late/core_0/0", "dtype = int32\nshape = ()\n", EventFixture.ints(3));
        prints.settle();

        // then
        assertThat(prints.prints()).extracting(DevicePrint::prefix).containsExactly("acc");
    }

    @Test
    void readsArrayOfNumPy() throws IOException {
        // given
        ByteArrayOutputStream array = new ByteArrayOutputStream();
        Npy.write(TensorView.of(new float[] {1, 2, 3, 4}, 2, 2), array);
        write("acc/core_0/0/tensor.npy", array.toByteArray());
        write("acc/core_0/1/tensor.npy", "no array");

        // when
        PrintFeed prints = collect();

        // then
        assertThat(prints.prints()).hasSize(1);
        assertThat(prints.prints().get(0).origin()).isEqualTo(PrintOrigin.FILES);
        assertThat(prints.prints().get(0).tensor().toDoubles()).containsExactly(1, 2, 3, 4);
        assertThat(prints.oddEvents()).hasSize(1);
    }
}
