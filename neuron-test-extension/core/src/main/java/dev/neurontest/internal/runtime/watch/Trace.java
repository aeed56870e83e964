package dev.neurontest.internal.runtime.watch;

import java.security.CodeSource;
import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The thread of an action and the place in the user's code. */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Trace(String thread, List<StackTraceElement> frames) {

    static final Trace NOWHERE = new Trace("", List.of());

    private static final int DEEPEST = 32;

    public static Trace here() {
        List<StackTraceElement> frames = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(stack -> stack.dropWhile(frame -> isOfTheExtension(frame.getDeclaringClass()))
                        .limit(DEEPEST)
                        .map(StackWalker.StackFrame::toStackTraceElement)
                        .toList());
        return new Trace(Thread.currentThread().getName(), frames);
    }

    private static boolean isOfTheExtension(Class<?> type) {
        return Objects.equals(source(type), source(Trace.class));
    }

    private static @Nullable CodeSource source(Class<?> type) {
        return type.getProtectionDomain().getCodeSource();
    }

    /** Returns a text such as {@code thread "main" at MatmulTest.java:42 (MatmulTest.multiplies)}. */
    @Override
    public String toString() {
        String place = frames.isEmpty() ? "" : " at " + place(frames.get(0));
        return "thread \"" + thread + "\"" + place;
    }

    private static String place(StackTraceElement frame) {
        String type = frame.getClassName().replaceAll(".*\\.", "");
        return "%s:%s (%s.%s)".formatted(frame.getFileName(), frame.getLineNumber(), type, frame.getMethodName());
    }
}
