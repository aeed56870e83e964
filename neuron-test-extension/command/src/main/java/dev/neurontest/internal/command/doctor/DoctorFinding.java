package dev.neurontest.internal.command.doctor;

import dev.neurontest.internal.process.Redaction;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * One thing that the doctor looked at.
 *
 * @param area such as {@code driver} or {@code leases}
 * @param level how bad it is
 * @param code what is wrong; empty when nothing is
 * @param what was found, in a sentence
 * @param advice what to do; empty when there is nothing to do
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record DoctorFinding(String area, Level level, Optional<Code> code, String what, String advice) {

    /**
     * Masks secrets, such as one in the name of a test that holds cores.
     *
     * @param area such as {@code driver} or {@code leases}
     * @param level how bad it is
     * @param code what is wrong
     * @param what was found, in a sentence
     * @param advice what to do; empty when there is nothing to do
     */
    public DoctorFinding {
        what = Redaction.mask(what);
    }

    /** How bad it is. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Level {
        /** As it should be. */
        OK,
        /** Tests run, but something is missing or odd. */
        WARN,
        /** Tests that need it cannot run. */
        FAIL
    }

    static DoctorFinding ok(String area, String what) {
        return ok(area, what, "");
    }

    static DoctorFinding ok(String area, String what, String advice) {
        return new DoctorFinding(area, Level.OK, Optional.empty(), what, advice);
    }

    static DoctorFinding of(Code code, String what, String advice) {
        return new DoctorFinding(code.area(), code.level(), Optional.of(code), what, advice);
    }
}
