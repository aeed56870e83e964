package dev.neurontest.runtime;

import dev.neurontest.internal.text.VisibleText;
import java.util.List;
import org.apiguardian.api.API;

/** Thrown when this version of the runtime lacks a feature because its library lacks the symbols. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RuntimeTooOldException extends RuntimeException {

    private static final long serialVersionUID = 1;

    RuntimeTooOldException(String feature, List<String> missing, String runtime) {
        super(VisibleText.of(
                "%s is not possible: runtime %s does not export %s. Install a newer aws-neuronx-runtime-lib."
                        .formatted(feature, runtime, String.join(", ", missing))));
    }
}
