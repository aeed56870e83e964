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
 * The stack frames of this library. They are of no use to the author of a test, so they are removed from exceptions with a
 * message of this library. Their causes and suppressed exceptions are shortened too. Unexpected exceptions keep all frames.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LibraryFrames {

    private static final String BASE_PACKAGE = "dev.neurontest.";
    private static final String JUNIT = "org.junit.";

    /**
     * The jars of this library. Package names are not sufficient, because tests can use the same packages and other projects can
     * use the same prefix.
     */
    private static final Set<String> JARS = Stream.of(
                    "dev.neurontest.internal.judgement.LibraryFrames",
                    "dev.neurontest.NeuronTest",
                    "dev.neurontest.fake.FakeNeuronHost")
            .flatMap(type -> jar(type).stream())
            .collect(Collectors.toUnmodifiableSet());

    private LibraryFrames() {}

    /** Cuts the frames below the call from user code. The trace then begins with the user's line. */
    public static <T extends Throwable> T cutFrom(T failure) {
        all(failure)
                .forEach(each -> each.setStackTrace(cut(each.getStackTrace()).toArray(StackTraceElement[]::new)));
        return failure;
    }

    /**
     * Cuts the frames below the call from user code or JUnit. A call from JUnit has no line of the user.
     *
     * @param test frame for a trace without a line of the user; empty for no frame
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

    /** Returns the failure and those of its causes and suppressed exceptions that need no frames. */
    private static Set<Throwable> all(Throwable failure) {
        Set<Throwable> shortened = Collections.newSetFromMap(new IdentityHashMap<>());
        collect(failure, false, shortened, Collections.newSetFromMap(new IdentityHashMap<>()));
        return shortened;
    }

    private static void collect(Throwable failure, boolean cause, Set<Throwable> shortened, Set<Throwable> known) {
        if (!known.add(failure)) {
            return;
        }
        boolean sufficient = isComplete(failure) || cause && isForeseen(failure);
        if (sufficient) {
            shortened.add(failure);
        }
        if (failure instanceof MultipleFailuresError several) {
            several.getFailures().forEach(each -> collect(each, false, shortened, known));
        }
        for (Throwable suppressed : failure.getSuppressed()) {
            collect(suppressed, false, shortened, known);
        }
        if (failure.getCause() != null) {
            collect(failure.getCause(), sufficient, shortened, known);
        }
    }

    /** Returns whether the message of an exception is sufficient. All other exceptions need their frames. */
    private static boolean isComplete(Throwable failure) {
        return failure instanceof AssertionError
                || failure instanceof TestAbortedException
                || failure.getClass().getName().startsWith(JUNIT)
                || isOwn(failure.getClass().getName());
    }

    /** Returns whether a cause is an expected one, such as invalid input or a failed file. Other causes may be bugs. */
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
            // JDK frames called by this library are removed with it.
            forUs = own || forUs && isOfJdk(trace[index]);
            if (!forUs) {
                kept.add(trace[index]);
            }
        }
        Collections.reverse(kept);
        return kept;
    }

    /**
     * Returns whether a trace contains a line of the user. It does not if this library threw the exception without a user frame
     * up to JUnit or the end of its own thread.
     */
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

    /** Returns whether a class belongs to this library. Nested and generated classes are located by their outermost class. */
    private static boolean isOwn(String name) {
        if (!name.startsWith(BASE_PACKAGE)) {
            return false;
        }
        String outermost = name.indexOf('$') < 0 ? name : name.substring(0, name.indexOf('$'));
        return jar(outermost).filter(JARS::contains).isPresent();
    }

    /** Returns the jar of a class; empty if it is unknown. */
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
