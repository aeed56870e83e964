package dev.neurontest.fuzz;

import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Fuzzing of a reader with mutations of genuine files. It has to read or refuse each one as documented, within limits
 * of time and memory. A property must hold for each value that was read. "How to fuzz longer" in CONTRIBUTING explains
 * how inputs are kept.
 */
@NullMarked
public final class Fuzzing {

    private static final int INPUTS = 5_000;
    private static final long FIRST_SEED = 20261123;
    private static final int SHOWN = 2_000;

    /** The minimum share of inputs that must be read. Refused inputs hardly test the reader. */
    private static final int LEAST_READ_OF_A_HUNDRED = 2;

    /** The maximum processor time of one input. Elapsed time would depend on the load of the machine. */
    static final Duration LONGEST = Duration.ofSeconds(5);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Class<?> test;
    private final String target;
    private final List<byte[]> seeds = new ArrayList<>();
    private final List<byte[]> words = new ArrayList<>();
    private final List<Class<? extends Exception>> refusals = new ArrayList<>();
    private int inputs = INPUTS;
    private Duration longest = LONGEST;
    private Duration lasting = Duration.ofSeconds(Integer.getInteger("fuzz.seconds", 0));
    private final long seed =
            Long.getLong("fuzz.seed", lasting.isZero() ? FIRST_SEED : System.nanoTime() & Integer.MAX_VALUE);

    private Fuzzing(Class<?> test, String target) {
        this.test = test;
        this.target = target;
    }

    /**
     * Creates a fuzzing of one reader.
     *
     * @param test class in the package of the resource folder {@code fuzz/<target>}, which has the inputs that once
     * broke the reader
     * @param target names the reader
     */
    public static Fuzzing of(Class<?> test, String target) {
        return new Fuzzing(test, target);
    }

    /** Adds genuine files, which the reader must not refuse. */
    public Fuzzing seeds(byte[]... files) {
        seeds.addAll(List.of(files));
        return this;
    }

    /** Adds genuine texts. */
    public Fuzzing seeds(String... texts) {
        return seeds(utf8(texts));
    }

    /** Adds words with a meaning for the reader that the seeds do not contain. */
    public Fuzzing words(String... texts) {
        words.addAll(List.of(utf8(texts)));
        return this;
    }

    /** Adds a documented exception for unreadable files. Every other exception is a bug. */
    public Fuzzing refusing(Class<? extends Exception> documented) {
        refusals.add(documented);
        return this;
    }

    /** Sets the number of inputs, regardless of the duration. */
    Fuzzing inputs(int number) {
        inputs = number;
        lasting = Duration.ZERO;
        return this;
    }

    Fuzzing longest(Duration time) {
        longest = time;
        return this;
    }

    private static byte[][] utf8(String... texts) {
        return Arrays.stream(texts)
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    }

    /** The reader under test. */
    @FunctionalInterface
    public interface Reader<T> {

        /** Reads the input or refuses it. */
        T read(byte[] input) throws Exception;
    }

    /** A property of everything that was read. */
    @FunctionalInterface
    public interface Property<T> {

        /** Throws an error when the property does not hold. */
        void holds(byte[] input, T read) throws Exception;
    }

    /** Fails at the first input that breaks the reader or the property, and reports how to repeat it. */
    public <T> void check(Reader<T> reader, Property<T> property) {
        Run<T> run = new Run<>(reader, property);
        run.setDaemon(true);
        run.start();
        try {
            String trouble = awaitEnd(run);
            if (trouble != null) {
                AssertionError hang = new AssertionError(report(run, trouble));
                hang.setStackTrace(run.getStackTrace());
                throw hang;
            }
        } catch (InterruptedException e) {
            throw new AssertionError(report(run, "it was interrupted"), e);
        }
        if (run.failure != null) {
            throw new AssertionError(report(run, "it failed: " + run.failure), run.failure);
        }
        if (!lasting.isZero()) {
            System.out.printf("%s: %,d inputs, %,d of them read%n", target, run.number, run.read);
        }
        boolean readsAll = run.read == run.number && !refusals.isEmpty();
        if (readsAll || run.read * 100L < (long) run.number * LEAST_READ_OF_A_HUNDRED) {
            throw new AssertionError(
                    "Of %s inputs the reader of %s read %s. So few or many tell nothing of how it reads and refuses."
                            .formatted(run.number, target, run.read));
        }
    }

    /** Waits for the end of a run and returns the problem of a run that does not end. */
    private @Nullable String awaitEnd(Run<?> run) throws InterruptedException {
        int seen = -1;
        long begun = 0;
        long used = 0;
        for (TimeUnit.MILLISECONDS.timedJoin(run, 50); run.isAlive(); TimeUnit.MILLISECONDS.timedJoin(run, 50)) {
            if (run.number != seen) {
                seen = run.number;
                begun = System.nanoTime();
                used = THREADS.getThreadCpuTime(run.getId());
            } else if (THREADS.getThreadCpuTime(run.getId()) - used > longest.toNanos()
                    || System.nanoTime() - begun > Patience.LIMIT.toNanos()) {
                return "it had not come to an end after %s s".formatted(longest.toSeconds());
            }
        }
        return null;
    }

    private String report(Run<?> run, String trouble) {
        byte[] input = run.input;
        CRC32 crc = new CRC32();
        crc.update(input);
        Path kept = Path.of("target", "fuzz", target, "%08x".formatted(crc.getValue()));
        try {
            Files.createDirectories(kept.getParent());
            Files.write(kept, input);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String base64 = Base64.getEncoder().encodeToString(input);
        return """
                The reader of %s was given %s, and %s
                The input is kept in %s (%s bytes). In base64:
                %s
                When it is mended, every run shall try this input again:
                mkdir -p %s && cp %4$s $_
                """.formatted(
                target,
                run.what,
                trouble,
                kept,
                input.length,
                base64.length() <= SHOWN ? base64 : base64.substring(0, SHOWN) + "...",
                "src/test/resources/%s/fuzz/%s".formatted(test.getPackageName().replace('.', '/'), target));
    }

    private List<Path> keptInputs() throws IOException {
        URL folder = test.getResource("fuzz/" + target);
        if (folder == null) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(Path.of(URI.create(folder.toString())))) {
            return files.sorted().toList();
        }
    }

    private final class Run<T> extends Thread {

        private final Reader<T> reader;
        private final Property<T> property;
        private final Mutations mutations = new Mutations(seeds, words);
        private final long end = System.nanoTime() + lasting.toNanos();

        private volatile int number;
        private volatile byte[] input = {};
        private volatile String what = "nothing yet";
        private volatile @Nullable Throwable failure;
        private int read;

        Run(Reader<T> reader, Property<T> property) {
            super("fuzz-" + target);
            this.reader = reader;
            this.property = property;
        }

        @Override
        public void run() {
            try {
                for (byte[] genuine : seeds) {
                    tryOut("a genuine file", genuine, true);
                }
                for (Path kept : keptInputs()) {
                    tryOut("the input " + kept.getFileName() + " that broke it once", Files.readAllBytes(kept), false);
                }
                read = 0;
                for (number = 0; number < inputs || System.nanoTime() - end < 0; number++) {
                    byte[] next = mutations.next(new Random(seed * 1_000_003 + number));
                    tryOut("input %s of seed %s".formatted(number, seed), next, false);
                }
            } catch (Throwable thrown) {
                failure = thrown;
            }
        }

        private void tryOut(String name, byte[] bytes, boolean genuine) throws Exception {
            what = name;
            input = bytes;
            T result;
            try {
                result = reader.read(bytes.clone());
            } catch (Exception refused) {
                if (genuine || refusals.stream().noneMatch(documented -> documented.isInstance(refused))) {
                    throw refused;
                }
                return;
            }
            read++;
            property.holds(bytes, result);
        }
    }
}
