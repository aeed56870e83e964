package dev.neurontest.internal.configuration;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.apiguardian.api.API;

/** The policies for all kinds of undecided results. */
@API(status = API.Status.INTERNAL, since = "0.1")
public record UndecidedPolicies(Map<UndecidedKind, UndecidedPolicy> byKind) {

    static final String EXPECTED = expected();
    static final String DEFAULT = byDefault();

    private static String expected() {
        StringJoiner kinds = new StringJoiner(", ");
        for (UndecidedKind kind : UndecidedKind.values()) {
            kinds.add(EnumText.of(kind));
        }
        return "fail, abort or pass for all kinds, or such as noisy=fail, prints=pass for some of " + kinds;
    }

    private static String byDefault() {
        StringJoiner policies = new StringJoiner(", ");
        for (UndecidedKind kind : UndecidedKind.values()) {
            policies.add(EnumText.of(kind) + "=" + EnumText.of(kind.byDefault()));
        }
        return policies.toString();
    }

    public UndecidedPolicy of(UndecidedKind kind) {
        return Objects.requireNonNull(byKind.get(kind));
    }

    /**
     * Returns the policy for a kind in the syntax of the setting.
     *
     * @return for example {@code throttled=abort}
     */
    public String text(UndecidedKind kind) {
        return EnumText.of(kind) + "=" + EnumText.of(of(kind));
    }

    static UndecidedPolicies parse(String text) {
        Map<UndecidedKind, UndecidedPolicy> byKind = new EnumMap<>(UndecidedKind.class);
        if (!text.contains("=")) {
            UndecidedPolicy policy = policy(text);
            for (UndecidedKind kind : UndecidedKind.values()) {
                byKind.put(kind, policy);
            }
            return new UndecidedPolicies(byKind);
        }
        for (String part : text.split(",", -1)) {
            String[] sides = part.split("=", -1);
            if (sides.length != 2) {
                throw new IllegalArgumentException("\"%s\" does not have the form KIND=POLICY".formatted(part.strip()));
            }
            UndecidedKind kind = EnumText.parse("kind", sides[0].strip(), UndecidedKind.class);
            if (byKind.put(kind, policy(sides[1].strip())) != null) {
                throw new IllegalArgumentException("%s occurs twice".formatted(EnumText.of(kind)));
            }
        }
        for (UndecidedKind kind : UndecidedKind.values()) {
            byKind.putIfAbsent(kind, kind.byDefault());
        }
        return new UndecidedPolicies(byKind);
    }

    private static UndecidedPolicy policy(String text) {
        return EnumText.parse("policy", text, UndecidedPolicy.class);
    }
}
