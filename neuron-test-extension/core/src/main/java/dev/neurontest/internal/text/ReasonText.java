package dev.neurontest.internal.text;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/** Several reasons of one quarantine in a line. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ReasonText {

    private ReasonText() {}

    /**
     * Joins reasons.
     *
     * @param reasons reasons, each with advice after its last semicolon, if there is any
     * @return each part once, with the advice at the end
     */
    public static String of(Collection<String> reasons) {
        Set<String> parts = new LinkedHashSet<>();
        for (String reason : reasons) {
            List<String> ofReason = List.of(reason.split("; "));
            String last = ofReason.get(ofReason.size() - 1);
            parts.remove(last);
            parts.addAll(ofReason);
        }
        return String.join("; ", parts);
    }
}
