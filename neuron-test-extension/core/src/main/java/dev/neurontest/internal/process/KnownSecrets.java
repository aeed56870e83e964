package dev.neurontest.internal.process;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The values of variables with secret names, in the environment of this process and of its children. They are masked everywhere. */
final class KnownSecrets {

    private static final int LEAST_LENGTH = 12;
    private static final int MOST = 200;

    private static final KnownSecrets OF_THIS_PROCESS = new KnownSecrets();

    static {
        OF_THIS_PROCESS.add(System.getenv());
    }

    private volatile List<String> values = List.of();

    static KnownSecrets ofThisProcess() {
        return OF_THIS_PROCESS;
    }

    /** Adds the values of an environment. Each line of a value is a separate secret. */
    synchronized void add(Map<String, String> environment) {
        List<String> all = new ArrayList<>(values);
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            if (Redaction.mayNameSecret(variable.getKey() + "=")
                    && SecretNames.secretsOf(variable.getKey()).test(variable.getValue())) {
                for (String line : variable.getValue().split("\n")) {
                    if (all.size() < MOST && isDistinct(line.strip()) && !all.contains(line.strip())) {
                        all.add(line.strip());
                    }
                }
            }
        }
        if (all.size() > 1) {
            all.sort(Comparator.comparing(String::length, Comparator.reverseOrder()));
        }
        values = all;
    }

    /** Checks whether a value is distinctive. A word, a number or a path might appear for other reasons. */
    private static boolean isDistinct(String value) {
        boolean digit = false;
        boolean letter = false;
        for (int at = 0; at < value.length(); at++) {
            digit |= Character.isDigit(value.charAt(at));
            letter |= Character.isLetter(value.charAt(at));
        }
        return digit && letter && value.length() >= LEAST_LENGTH && "/~.$".indexOf(value.charAt(0)) < 0;
    }

    String mask(String line) {
        String masked = line;
        for (String value : values) {
            masked = masked.replace(value, Redaction.MASK);
        }
        return masked;
    }
}
