package dev.neurontest.internal.command.doctor;

import java.util.List;
import org.apiguardian.api.API;

/**
 * What the doctor found.
 *
 * @param host what it looked at, as messages call it
 * @param findings in the order in which a test needs the things
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Diagnosis(String host, List<DoctorFinding> findings) {

    /**
     * Keeps its own copy.
     *
     * @param host what it looked at
     * @param findings in order
     */
    public Diagnosis {
        findings = List.copyOf(findings);
    }

    long count(DoctorFinding.Level level) {
        return findings.stream().filter(finding -> finding.level() == level).count();
    }

    /**
     * Whether tests can run.
     *
     * @return false where a finding keeps them from it
     */
    public boolean isWell() {
        return count(DoctorFinding.Level.FAIL) == 0;
    }
}
