package dev.neurontest.fake;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Whether a command is there, and works.
 *
 * @param kind one of three
 * @param version of a command that works, such as {@code 2.25.145.0%kaena-tools/2.25@866f606}; its second number, that of the
 *     SDK, says which metrics it prints and which traces it reads; null otherwise
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ToolState(Kind kind, @Nullable String version) {

    /** The three states that were seen on hosts. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Kind {
        /** There is no file. */
        ABSENT,
        /** It does what it should. */
        WORKING,
        /** It refuses every call, and names the other tool. */
        STUB
    }

    /**
     * Checks it.
     *
     * @param kind one of three
     * @param version of a command that works, null otherwise
     * @throws IllegalArgumentException when there is a version where there should be none, or none where there should be one
     */
    public ToolState {
        if ((kind == Kind.WORKING) != (version != null) || version != null && !version.matches("[!-~]+")) {
            throw new IllegalArgumentException("a command that is " + kind + " cannot have the version " + version);
        }
    }

    /**
     * It does what it should.
     *
     * @param version such as {@code 2.29.18.0}
     * @return the state
     */
    public static ToolState working(String version) {
        return new ToolState(Kind.WORKING, version);
    }

    /**
     * It refuses every call.
     *
     * @return the state
     */
    public static ToolState stub() {
        return new ToolState(Kind.STUB, null);
    }

    /**
     * There is no file.
     *
     * @return the state
     */
    public static ToolState absent() {
        return new ToolState(Kind.ABSENT, null);
    }

    /** Such as {@code working 2.29.18.0}. */
    @Override
    public String toString() {
        return switch (kind) {
            case ABSENT -> "absent";
            case STUB -> "stub";
            case WORKING -> "working " + version;
        };
    }
}
