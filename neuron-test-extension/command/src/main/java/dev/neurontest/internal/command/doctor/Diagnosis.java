package dev.neurontest.internal.command.doctor;

import java.util.List;
import java.util.Set;
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

    /**
     * Checks whether a host was examined.
     *
     * @return false if a setting is mistaken, or if the named host cannot exist; true if the devices of this machine are missing
     */
    public boolean isOfHost() {
        return findings.stream()
                .flatMap(finding -> finding.code().stream())
                .noneMatch(Set.of(Code.MISTAKEN_SETTING, Code.IMPOSSIBLE_HOST)::contains);
    }
}
