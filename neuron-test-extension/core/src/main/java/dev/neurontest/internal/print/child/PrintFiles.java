package dev.neurontest.internal.print.child;

import dev.neurontest.internal.print.GivenFeed;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.internal.print.stream.FileBytes;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintOrigin;
import dev.neurontest.tensor.Npy;
import dev.neurontest.tensor.NpyException;
import dev.neurontest.tensor.TensorBytes;
import dev.neurontest.tensor.TensorView;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reader of the files that a workload left below {@code NEURON_RT_DEBUG_OUTPUT_DIR}. Each consumer writes different files. A
 * {@code metadata.txt} next to one {@code .bin} provides the most information. A {@code .npy} is read, text is parsed, and all other files
 * are kept unchanged.
 */
final class PrintFiles {

    /**
     * Maximum size of a file to read into memory. Larger files are read on access, and so are further files after {@link #ALL_ON_HEAP}
     * bytes.
     */
    private static final int ON_HEAP = 1 << 20;

    private static final long ALL_ON_HEAP = 64L << 20;

    private static final int TEXT = 16 << 20;
    private static final int MOST_STRAYS = 20;

    private static final TensorBytes NOTHING = TensorBytes.of(new byte[0]);

    private final Path root;
    private long onHeap;
    private final List<DevicePrint> prints = new ArrayList<>();
    private final List<OddEvent> odd = new ArrayList<>();
    private final Set<String> unreadable = new TreeSet<>();

    private PrintFiles(Path root) {
        this.root = root;
    }

    /**
     * Reads the existing files.
     *
     * @param root a folder that is no longer written to
     */
    static PrintFeed collect(Path root) {
        return new PrintFiles(root).collect();
    }

    private PrintFeed collect() {
        PrintFolder folder;
        try {
            folder = PrintFolder.scan(root);
        } catch (NoSuchFileException e) {
            return nothing(root);
        } catch (IOException e) {
            return new GivenFeed(
                    List.of(),
                    List.of(),
                    List.of(unreadable("The folder for prints, %s, cannot be read: %s.".formatted(root, e))));
        }
        if (folder.prints().isEmpty() && folder.strays().isEmpty()) {
            return nothing(root);
        }
        folder.prints().forEach(this::take);
        folder.strays().stream().limit(MOST_STRAYS).forEach(this::stray);
        List<PrintDoubt> doubts = new ArrayList<>();
        if (!folder.isWhole()) {
            doubts.add(new PrintDoubt(
                    PrintDoubt.Kind.LOST,
                    "There are more files or deeper folders in %s than are read. Print less, in several tests, or with fewer slashes in a prefix."
                            .formatted(root)));
        }
        if (folder.isWhole()) {
            folder.gaps().forEach(gap -> doubts.add(new PrintDoubt(PrintDoubt.Kind.LOST, gap)));
        }
        if (folder.strays().size() > MOST_STRAYS) {
            doubts.add(unreadable(
                    "%s files in %s are not in a folder <prefix>/core_<core>/<iteration>; only the first %s are kept."
                            .formatted(folder.strays().size(), root, MOST_STRAYS)));
        }
        unreadable.forEach(reason -> doubts.add(unreadable(reason)));
        return new GivenFeed(prints, odd, doubts);
    }

    /** Returns a feed without prints, with a doubt that explains possible reasons. */
    static PrintFeed nothing(Path root) {
        return new GivenFeed(
                List.of(),
                List.of(),
                List.of(new PrintDoubt(
                        PrintDoubt.Kind.UNAVAILABLE,
                        "The workload wrote nothing to %s: it printed nothing, or it does not honour NEURON_RT_DEBUG_OUTPUT_DIR, which the runtime itself does not read. Check it with a kernel that is known to print."
                                .formatted(root))));
    }

    private static PrintDoubt unreadable(String reason) {
        return new PrintDoubt(PrintDoubt.Kind.UNREADABLE, reason);
    }

    private void take(PrintFolder.Entry entry) {
        List<Path> tensors = ending(entry, ".bin");
        List<Path> arrays = ending(entry, ".npy");
        List<Path> texts =
                ending(entry, ".txt").stream().filter(file -> !isMetadata(file)).toList();
        Optional<Path> metadata =
                entry.files().stream().filter(PrintFiles::isMetadata).findFirst();
        try {
            Optional<PrintMetadata> declared =
                    metadata.isPresent() ? PrintMetadata.of(text(metadata.get())) : Optional.empty();
            if (declared.isPresent() && tensors.size() == 1) {
                tensor(entry, declared.get(), tensors.get(0));
            } else if (arrays.size() == 1 && tensors.isEmpty()) {
                array(entry, declared, arrays.get(0));
            } else if (texts.size() == 1 && tensors.isEmpty()) {
                text(entry, declared, texts.get(0));
            } else {
                String reason = metadata.isPresent() && declared.isEmpty()
                        ? "metadata.txt contains no dtype and shape"
                        : "there is neither a metadata.txt with one .bin file, nor one .npy file, nor a text file";
                entry.files().forEach(file -> raw(entry, file, reason));
            }
        } catch (IOException e) {
            unreadable.add("A print in %s cannot be read: %s.".formatted(entry.folder(), e));
        }
    }

    private static boolean isMetadata(Path file) {
        return file.endsWith("metadata.txt");
    }

    private static List<Path> ending(PrintFolder.Entry entry, String end) {
        return entry.files().stream()
                .filter(file -> file.getFileName().toString().endsWith(end))
                .toList();
    }

    private void tensor(PrintFolder.Entry entry, PrintMetadata declared, Path file) throws IOException {
        TensorBytes bytes = bytes(file);
        if (declared.size() >= 0 && declared.size() != bytes.size()) {
            raw(
                    entry,
                    file,
                    "metadata.txt declares %s bytes, but there are %s: the workload may have been ended while it wrote"
                            .formatted(declared.size(), bytes.size()));
            return;
        }
        prints.add(print(entry, PrintOrigin.FILES, declared.dtype(), declared.shape(), bytes));
    }

    private void array(PrintFolder.Entry entry, Optional<PrintMetadata> declared, Path file) {
        try {
            TensorView array = Npy.read(file, declared.map(PrintMetadata::dtype).orElse(""));
            prints.add(print(entry, PrintOrigin.FILES, array.dtypeName(), array.shape(), array.bytes()));
        } catch (NpyException unreadable) {
            raw(entry, file, String.valueOf(unreadable.getMessage()));
        }
    }

    private void text(PrintFolder.Entry entry, Optional<PrintMetadata> declared, Path file) throws IOException {
        String text = text(file);
        PrintedTensor tensor = declared.map(known -> PrintedTensor.of(text, known.dtype(), known.shape()))
                .orElseGet(() -> PrintedTensor.of(text));
        if (tensor.trouble().isEmpty()) {
            DevicePrint print = print(entry, PrintOrigin.TEXT, tensor.dtype(), tensor.shape(), tensor.data());
            prints.add(print.asWritten(tensor.abbreviation(), tensor.rounding()));
        } else {
            raw(entry, file, tensor.trouble());
        }
    }

    private DevicePrint print(
            PrintFolder.Entry entry, PrintOrigin origin, String dtype, List<Long> shape, TensorBytes data) {
        return new DevicePrint(
                prints.size() + odd.size(),
                entry.written(),
                origin,
                entry.core(),
                -1,
                -1,
                entry.prefix(),
                dtype,
                shape,
                data,
                NOTHING);
    }

    private void raw(PrintFolder.Entry entry, Path file, String reason) {
        keep(file, entry.core(), reason, Optional.of(entry.prefix()));
    }

    private void stray(Path file) {
        keep(
                file,
                -1,
                "it is not in a folder <prefix>/core_<core>/<iteration>",
                PrintFolder.prefixOf(root.relativize(file)));
    }

    private void keep(Path file, int core, String reason, Optional<String> prefix) {
        try {
            odd.add(new OddEvent(
                    prints.size() + odd.size(),
                    Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant(),
                    PrintOrigin.FILES,
                    core,
                    0,
                    "%s is not a readable print: %s".formatted(root.relativize(file), reason),
                    prefix,
                    NOTHING,
                    bytes(file)));
        } catch (IOException e) {
            unreadable.add("%s cannot be read: %s.".formatted(file, e));
        }
    }

    private TensorBytes bytes(Path file) throws IOException {
        long size = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .size();
        if (size > ON_HEAP || onHeap + size > ALL_ON_HEAP) {
            return new FileBytes((from, target, at, length) -> read(file, from, target, at, length), size);
        }
        onHeap += size;
        try (InputStream in = open(file)) {
            return TensorBytes.of(in.readNBytes((int) size));
        }
    }

    /** Opens a stream that an interrupt does not close. Prints are especially important after an interrupt because of a timeout. */
    private static InputStream open(Path file) throws IOException {
        return Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
    }

    private static void read(Path file, long from, byte[] target, int at, int length) throws IOException {
        try (InputStream in = open(file)) {
            in.skipNBytes(from);
            if (in.readNBytes(target, at, length) < length) {
                throw new EOFException("%s has become shorter".formatted(file));
            }
        }
    }

    private static String text(Path file) throws IOException {
        try (InputStream in = open(file)) {
            return new String(in.readNBytes(TEXT), StandardCharsets.UTF_8);
        }
    }
}
