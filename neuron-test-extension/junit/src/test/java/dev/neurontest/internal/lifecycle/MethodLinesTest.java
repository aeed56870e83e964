package dev.neurontest.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a method is found in its class file as the JVM itself locates it. */
class MethodLinesTest {

    private static StackTraceElement here() {
        return new Throwable().getStackTrace()[1];
    }

    /** Methods that return the frame of their first line. */
    static class Methods {

        /** A constant that takes two entries of the constant pool. */
        private static final long LONG = 1L << 40;

        int here = 1;

        StackTraceElement first(int number, String[] names, List<Long> others) {
            return here();
        }

        StackTraceElement first(long number) {
            StackTraceElement frame = here();
            for (long each = LONG; each < number; each++) {
                here++;
            }
            return frame;
        }

        static StackTraceElement first() {
            return here();
        }
    }

    @Test
    void findFirstLineOfEachOverload() throws Exception {
        assertThat(MethodLines.frame(Methods.class.getDeclaredMethod("first", int.class, String[].class, List.class)))
                .map(MethodLinesTest::place)
                .contains(place(new Methods().first(1, new String[0], List.of())));
        assertThat(MethodLines.frame(Methods.class.getDeclaredMethod("first", long.class)))
                .map(MethodLinesTest::place)
                .contains(place(new Methods().first(1)));
        assertThat(MethodLines.frame(Methods.class.getDeclaredMethod("first")))
                .map(MethodLinesTest::place)
                .contains(place(Methods.first()));
    }

    /** Returns a frame without the names of class loader and module. */
    private static String place(StackTraceElement frame) {
        return "%s.%s(%s:%s)"
                .formatted(frame.getClassName(), frame.getMethodName(), frame.getFileName(), frame.getLineNumber());
    }

    @ParameterizedTest
    @ValueSource(classes = {String.class, ConcurrentHashMap.class, AbstractAssert.class, MethodLinesTest.class})
    void findEveryMethodThatHasCode(Class<?> type) {
        assertThat(Stream.of(type.getDeclaredMethods())
                        .filter(method -> !Modifier.isAbstract(method.getModifiers()))
                        .filter(method -> !Modifier.isNative(method.getModifiers())))
                .isNotEmpty()
                .allSatisfy(method -> assertThat(MethodLines.frame(method))
                        .get()
                        .satisfies(frame -> {
                            assertThat(frame.getFileName()).isEqualTo(type.getSimpleName() + ".java");
                            assertThat(frame.getLineNumber()).isPositive();
                        }));
    }

    @Test
    void areUnknownForAbstractMethod() throws Exception {
        assertThat(MethodLines.frame(Runnable.class.getMethod("run"))).isEmpty();
    }

    @Test
    void areUnknownForClassGeneratedAtRunTime() throws Exception {
        Object generated =
                Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Runnable.class}, (a, b, c) -> null);
        Method run = generated.getClass().getMethod("run");

        assertThat(MethodLines.frame(run)).isEmpty();
    }
}
