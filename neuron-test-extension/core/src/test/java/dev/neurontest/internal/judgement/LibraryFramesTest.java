package dev.neurontest.internal.judgement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.MultipleFailuresError;
import org.opentest4j.TestAbortedException;

class LibraryFramesTest {

    private static final String OWN = "dev.neurontest.internal.judgement.Failure";
    private static final String NESTED = "dev.neurontest.internal.judgement.Failure$1$$Lambda/0x17";
    private static final String USER = "com.example.ModelTest";
    /** The name of this test class, which is in a package of the library but not among its sources. */
    private static final String TEST = "dev.neurontest.internal.judgement.LibraryFramesTest";
    /** A class that may belong to a user. */
    private static final String NAMESAKE = "dev.neurontest.examples.ModelTest";

    private static final String JDK = "java.util.ArrayList";
    private static final String JUNIT = "org.junit.jupiter.engine.Engine";

    private static final StackTraceElement PLACE = new StackTraceElement("com.example.Place", "test", null, -1);

    private static <T extends Throwable> T thrown(T failure, String... classes) {
        failure.setStackTrace(Stream.of(classes)
                .map(type -> new StackTraceElement(
                        null, type.equals(JDK) ? "java.base" : null, null, type, "method", null, 1))
                .toArray(StackTraceElement[]::new));
        return failure;
    }

    private static List<String> classes(Throwable failure) {
        return Stream.of(failure.getStackTrace())
                .map(StackTraceElement::getClassName)
                .toList();
    }

    @Nested
    class InTheBody {

        private List<String> cut(String... classes) {
            return classes(LibraryFrames.cutFrom(thrown(new AssertionError("told"), classes)));
        }

        @Test
        void areCutAtAnyPosition() {
            assertThat(cut(OWN, NESTED, USER, OWN, TEST, JUNIT, OWN, JUNIT)).containsExactly(USER, TEST, JUNIT, JUNIT);
        }

        @Test
        void areCutWithJdkFramesTheyCalled() {
            assertThat(cut(JDK, JDK, OWN, JDK, OWN, JDK, USER, JDK, JUNIT)).containsExactly(JDK, USER, JDK, JUNIT);
        }

        @Test
        void areRecognizedByLocationOfClassNotPackage() {
            assertThat(cut(OWN, TEST, NAMESAKE)).containsExactly(TEST, NAMESAKE);
        }

        @Test
        void leaveOtherTracesUnchanged() {
            assertThat(cut(JUNIT, USER, JDK, JUNIT)).containsExactly(JUNIT, USER, JDK, JUNIT);
        }

        @Test
        void areCutFromARealTrace() {
            assertThat(LibraryFrames.cutFrom(Failure.error("told")).getStackTrace()[0])
                    .extracting(StackTraceElement::getClassName, StackTraceElement::getMethodName)
                    .containsExactly(InTheBody.class.getName(), "areCutFromARealTrace");
        }
    }

    @Nested
    class OutsideTheBody {

        private List<String> cut(String... classes) {
            return classes(LibraryFrames.cutFrom(thrown(new AssertionError("told"), classes), Optional.of(PLACE)));
        }

        @Test
        void areReplacedByPlaceOfTestWhenJUnitCalled() {
            assertThat(cut(JDK, OWN, JDK, OWN, JUNIT, USER, JDK)).containsExactly(PLACE.getClassName());
        }

        @Test
        void areReplacedByPlaceOfTestInLibraryThread() {
            assertThat(cut(OWN, JDK)).containsExactly(PLACE.getClassName());
        }

        @Test
        void areRemovedWhenNoTestIsKnown() {
            AssertionError failure = thrown(new AssertionError("told"), OWN, JUNIT);

            assertThat(LibraryFrames.cutFrom(failure, Optional.empty()).getStackTrace())
                    .isEmpty();
        }

        @Test
        void keepFramesOfCallingUser() {
            assertThat(cut(OWN, JDK, USER, JUNIT)).containsExactly(JDK, USER, JUNIT);
        }

        @Test
        void keepFramesThatJUnitThrewInBody() {
            assertThat(cut(JDK, JUNIT, USER, OWN, JUNIT)).containsExactly(JDK, JUNIT, USER, JUNIT);
        }

        @Test
        void leaveAnEmptyTraceEmpty() {
            assertThat(cut()).isEmpty();
            assertThat(cut(JDK)).containsExactly(JDK);
        }
    }

    static Stream<Throwable> told() {
        Settings settings = Settings.of(name -> Optional.of("neither"));
        return Stream.of(
                new AssertionFailedError("told"),
                new TestAbortedException("told"),
                new ExtensionConfigurationException("told"),
                catchThrowable(() -> settings.value(Setting.EVIDENCE)));
    }

    @ParameterizedTest
    @MethodSource("told")
    void areCutFromReportedFailure(Throwable failure) {
        assertThat(classes(LibraryFrames.cutFrom(thrown(failure, OWN, USER)))).containsExactly(USER);
    }

    private static final class ExceptionOfATest extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    static Stream<Throwable> bugs() {
        return Stream.of(
                new NullPointerException(),
                new IllegalStateException("wrong"),
                new IllegalArgumentException("wrong"),
                new IOException("wrong"),
                new ExceptionOfATest(),
                new StackOverflowError());
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void areKeptInBug(Throwable bug) {
        assertThat(classes(LibraryFrames.cutFrom(thrown(bug, OWN, USER)))).containsExactly(OWN, USER);
        assertThat(classes(LibraryFrames.cutFrom(bug, Optional.of(PLACE)))).containsExactly(OWN, USER);
    }

    static Stream<Throwable> foreseen() {
        return Stream.of(
                new IllegalArgumentException("no number"),
                new IOException("no file"),
                new UncheckedIOException(new IOException("no file")));
    }

    @ParameterizedTest
    @MethodSource("foreseen")
    void areCutFromExpectedCauseOfReportedFailure(Throwable reason) {
        TestAbortedException told = new TestAbortedException("told", thrown(reason, OWN, USER));

        LibraryFrames.cutFrom(told);

        assertThat(classes(reason)).containsExactly(USER);
    }

    @Test
    void areKeptInBugThatCausedReportedFailure() {
        NullPointerException bug = thrown(new NullPointerException(), OWN, USER);

        LibraryFrames.cutFrom(new TestAbortedException("told", bug));

        assertThat(classes(bug)).containsExactly(OWN, USER);
    }

    @Test
    void areCutFromNestedAndSuppressedFailures() {
        // given
        AssertionError one = thrown(new AssertionError("one"), OWN, USER);
        AssertionError suppressed = thrown(new AssertionError("suppressed"), OWN, USER);
        IOException beside = thrown(new IOException("beside"), OWN, USER);
        MultipleFailuresError all = thrown(new MultipleFailuresError("all", List.of(one)), OWN, USER);
        NullPointerException bug = thrown(new NullPointerException(), OWN, USER);
        bug.addSuppressed(all);
        all.addSuppressed(suppressed);
        all.addSuppressed(beside);

        // when
        LibraryFrames.cutFrom(bug);

        // then
        assertThat(List.of(one, suppressed, all))
                .allSatisfy(each -> assertThat(classes(each)).containsExactly(USER));
        assertThat(List.of(bug, beside))
                .allSatisfy(each -> assertThat(classes(each)).containsExactly(OWN, USER));
    }

    @Test
    void areCutFromCyclicCauses() {
        // given
        AssertionError one = thrown(new AssertionError("one"), OWN, USER);
        AssertionError other = thrown(new AssertionError("other", one), OWN, USER);
        one.initCause(other);

        // when
        LibraryFrames.cutFrom(one);

        // then
        assertThat(List.of(one, other))
                .allSatisfy(each -> assertThat(classes(each)).containsExactly(USER));
    }
}
