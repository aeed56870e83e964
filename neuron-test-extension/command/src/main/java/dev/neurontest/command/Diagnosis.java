package dev.neurontest.command;

import java.util.List;

/**
 * What the doctor found.
 *
 * @param host what it looked at, as messages call it
 * @param findings in the order in which a test needs the things
 */
record Diagnosis(String host, List<Finding> findings) {

    Diagnosis {
        findings = List.copyOf(findings);
    }

    long count(Finding.Level level) {
        return findings.stream().filter(finding -> finding.level() == level).count();
    }

    boolean isWell() {
        return count(Finding.Level.FAIL) == 0;
    }
}
