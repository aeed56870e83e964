package dev.neurontest.internal.judgement;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.opentest4j.MultipleFailuresError;
import org.opentest4j.TestAbortedException;

/**
 * The stack frames of this library, which say nothing to the author of a test. What a test is told with a message of ours goes without
 * them, its causes and suppressed exceptions too. Bugs keep all frames.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LibraryFrames {

    private static final String HOUSE = "dev.neurontest.";
    private static final String JUNIT = "org.junit.";

    /** A package may be shared with tests, and a user's may begin with the same words; the jars with these are ours alone. */
    private static final Set<String> JARS = Stream.of(
                    "dev.neurontest.internal.judgement.LibraryFrames",
                    "dev.neurontest.NeuronTest",
                    "dev.neurontest.fake.FakeNeuronHost")
            .flatMap(type -> jar(type).stream())
            .collect(Collectors.toUnmodifiableSet());

    private LibraryFrames() {}

    /**
     * Cuts them where user code called this library, so that a trace begins with the line of the user.
     *
     * @param <T> what it is
     * @param failure to be thrown
     * @return the failure
     */
    public static <T extends Throwable> T cutFrom(T failure) {
        all(failure)
                .forEach(each -> each.setStackTrace(cut(each.getStackTrace()).toArray(StackTraceElement[]::new)));
        return failure;
    }

    /**
     * Cuts them where user code or JUnit called this library. What JUnit called has no line of the user.
     *
     * @param <T> what it is
     * @param failure to be thrown
     * @param test where a trace without a line of the user leads; nowhere if empty
     * @return the failure
     */
    public static <T extends Throwable> T cutFrom(T failure, Optional<StackTraceElement> test) {
        all(failure).forEach(each -> {
            StackTraceElement[] trace = each.getStackTrace();
            List<StackTraceElement> shown =
                    isOfUser(trace) ? cut(trace) : test.stream().toList();
            each.setStackTrace(shown.toArray(StackTraceElement[]::new));
        });
        return failure;
    }

    /** What is thrown comes with what it was caused by, and with what was found beside it. */
    private static Set<Throwable> all(Throwable failure) {
        Set<Throwable> told = Collections.newSetFromMap(new IdentityHashMap<>());
        collect(failure, false, told, Collections.newSetFromMap(new IdentityHashMap<>()));
        return told;
    }

    private static void collect(Throwable failure, boolean cause, Set<Throwable> told, Set<Throwable> known) {
        if (!known.add(failure)) {
            return;
        }
        boolean tellsAll = tellsAll(failure) || cause && isForeseen(failure);
        if (tellsAll) {
            told.add(failure);
        }
        if (failure instanceof MultipleFailuresError several) {
            several.getFailures().forEach(each -> collect(each, false, told, known));
        }
        for (Throwable suppressed : failure.getSuppressed()) {
            collect(suppressed, false, told, known);
        }
        if (failure.getCause() != null) {
            collect(failure.getCause(), tellsAll, told, known);
        }
    }

    /** Its message is enough. For everything else the frames are needed. */
    private static boolean tellsAll(Throwable failure) {
        return failure instanceof AssertionError
                || failure instanceof TestAbortedException
                || failure.getClass().getName().startsWith(JUNIT)
                || isOwn(failure.getClass().getName());
    }

    /** Why something was told: an input or a file was not as it should be. What is none of these may be a bug. */
    private static boolean isForeseen(Throwable cause) {
        return cause instanceof IllegalArgumentException
                || cause instanceof IOException
                || cause instanceof UncheckedIOException;
    }

    private static List<StackTraceElement> cut(StackTraceElement[] trace) {
        List<StackTraceElement> kept = new ArrayList<>();
        boolean forUs = false;
        for (int index = trace.length - 1; index >= 0; index--) {
            boolean own = isOwn(trace[index].getClassName());
            // What this library called in the JDK goes with it.
            forUs = own || forUs && isOfJdk(trace[index]);
            if (!forUs) {
                kept.add(trace[index]);
            }
        }
        Collections.reverse(kept);
        return kept;
    }

    /** False where it was thrown here, and no frame of the user is between that and JUnit or the end of a thread of ours. */
    private static boolean isOfUser(StackTraceElement[] trace) {
        List<StackTraceElement> called =
                Arrays.stream(trace).dropWhile(LibraryFrames::isOfJdk).toList();
        if (called.isEmpty() || !isOwn(called.get(0).getClassName())) {
            return true;
        }
        return called.stream()
                .dropWhile(frame -> isOfJdk(frame) || isOwn(frame.getClassName()))
                .findFirst()
                .filter(caller -> !caller.getClassName().startsWith(JUNIT))
                .isPresent();
    }

    private static boolean isOfJdk(StackTraceElement frame) {
        String module = frame.getModuleName();
        return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
    }

    /** Classes that are nested or generated are where their outermost class is. */
    private static boolean isOwn(String name) {
        if (!name.startsWith(HOUSE)) {
            return false;
        }
        String outermost = name.indexOf('$') < 0 ? name : name.substring(0, name.indexOf('$'));
        return jar(outermost).filter(JARS::contains).isPresent();
    }

    /** Where a class is; empty where it is not known. */
    private static Optional<String> jar(String type) {
        try {
            return Optional.ofNullable(Class.forName(type, false, LibraryFrames.class.getClassLoader())
                            .getProtectionDomain()
                            .getCodeSource())
                    .map(CodeSource::getLocation)
                    .map(Object::toString);
        } catch (ClassNotFoundException | LinkageError elsewhere) {
            return Optional.empty();
        }
    }
}
