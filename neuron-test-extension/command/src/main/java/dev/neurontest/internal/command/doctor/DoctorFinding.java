package dev.neurontest.internal.command.doctor;

import dev.neurontest.internal.process.Redaction;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * One result of the doctor.
 *
 * @param area the examined area, such as {@code driver} or {@code leases}
 * @param level the severity
 * @param code the problem; empty if there is none
 * @param what the finding, in a sentence
 * @param advice the solution; empty if nothing needs to be done
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record DoctorFinding(String area, Level level, Optional<Code> code, String what, String advice) {

    /** Creates a finding. Masks secrets in its text, for example in the name of a test that holds cores. */
    public DoctorFinding {
        what = Redaction.mask(what);
    }

    /** The severity of a finding. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Level {
        /** No problem. */
        OK,
        /** A missing or odd part that does not prevent tests. */
        WARN,
        /** A problem that prevents the tests that require the part. */
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
