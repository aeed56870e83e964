package dev.neurontest.internal.profile.summary;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a tool wrote for {@code --processing-status-file}, which no documentation describes: {@code profiles[].status} of each profile that
 * it made tables of. What is not there, or is no such file, proves nothing.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProcessingStatus {

    private static final String SUCCESS = "success";
    private static final long LONGEST = 1 << 20;

    private ProcessingStatus() {}

    /**
     * Looks for a profile that was not processed.
     *
     * @param file that the tool wrote, if it did
     * @return what it says instead of success
     */
    public static Optional<String> problem(Path file) {
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > LONGEST) {
                return Optional.empty();
            }
            String text = Files.readString(file);
            List<String> statuses = new ArrayList<>();
            for (JsonText.Member member : new JsonText(text, text.indexOf('{') < 0 ? 0 : text.indexOf('{'))
                    .object()
                    .members()) {
                if (member.name().equals("profiles") && member.value() instanceof JsonText.Elements profiles) {
                    profiles.elements().forEach(profile -> status(profile).ifPresent(statuses::add));
                }
            }
            return statuses.stream()
                    .filter(status -> !status.equalsIgnoreCase(SUCCESS))
                    .findFirst();
        } catch (IOException | JsonText.Broken unreadable) {
            return Optional.empty();
        }
    }

    private static Optional<String> status(Object profile) {
        return profile instanceof JsonText.Members members
                ? members.members().stream()
                        .filter(member -> member.name().equals("status"))
                        .map(member -> member.value() instanceof String text ? text : member.raw())
                        .findFirst()
                : Optional.empty();
    }
}
