package dev.neurontest.internal.command.doctor;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The result of the doctor.
 *
 * @param host the examined host, as messages name it
 * @param findings the findings, in the order in which a test requires the parts
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Diagnosis(String host, List<DoctorFinding> findings) {

    /** Creates a diagnosis with a copy of the list. */
    public Diagnosis {
        findings = List.copyOf(findings);
    }

    long count(DoctorFinding.Level level) {
        return findings.stream().filter(finding -> finding.level() == level).count();
    }

    /**
     * Returns whether tests can run.
     *
     * @return false if a finding prevents tests from running
     */
    public boolean isWell() {
        return count(DoctorFinding.Level.FAIL) == 0;
    }
}
