package dev.neurontest.counter;

import dev.neurontest.text.DurationText;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;

/** What is said about waiting beside a failure. */
final class WaitText {

    private WaitText() {}

    static String withoutNotifications(String host, IOException why, Duration interval) {
        return "Notifications cannot be used on %s: %s. Counters are read every %s instead."
                .formatted(host, reason(why), DurationText.exact(interval));
    }

    static String notNotified(String counter, String why, Duration interval) {
        return "The driver does not notify of %s: %s. It is read every %s instead."
                .formatted(counter, why, DurationText.exact(interval));
    }

    static String notSwitchedBack(IOException why) {
        return "The notifications of the driver could not be switched off again after a wait: %s. Write -1 to the notify_delay of any device."
                .formatted(reason(why));
    }

    /** The messages of file system exceptions often are the path alone. */
    private static String reason(IOException why) {
        if (why instanceof AccessDeniedException) {
            return "only root may write " + why.getMessage();
        }
        if (why instanceof NoSuchFileException) {
            return "there is no " + why.getMessage();
        }
        return why.getMessage() == null ? why.toString() : why.getMessage();
    }
}
