package dev.neurontest.baseline.history;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What becomes of what was measured.
 *
 * @param action what is done
 * @param change what is written or proposed; empty when nothing is
 * @param reason a sentence for people
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record BaselineDecision(Action action, Optional<BaselineChange> change, String reason) {

    /** What is done with what was measured. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Action {
        /** It becomes the baseline. */
        WRITE,
        /** It is put where it can be approved. */
        PROPOSE,
        /** It is neither written nor proposed, because it shows nothing. */
        REFUSE,
        /** The baseline is still right. */
        KEEP
    }

    static BaselineDecision write(BaselineChange change) {
        return new BaselineDecision(Action.WRITE, Optional.of(change), "It becomes the baseline.");
    }

    static BaselineDecision propose(BaselineChange change, String reason) {
        return new BaselineDecision(Action.PROPOSE, Optional.of(change), reason);
    }

    static BaselineDecision refuse(String reason) {
        return new BaselineDecision(Action.REFUSE, Optional.empty(), reason);
    }

    static BaselineDecision keep(String reason) {
        return new BaselineDecision(Action.KEEP, Optional.empty(), reason);
    }
}
