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
 * Reader of the file of {@code --processing-status-file}, which is undocumented. The file contains {@code profiles[].status} for each
 * profile that was processed into tables. An absent or unreadable file proves nothing.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProcessingStatus {

    private static final String SUCCESS = "success";
    private static final long LONGEST = 1 << 20;

    private ProcessingStatus() {}

    /**
     * Finds a profile that was not processed.
     *
     * @param file the file of the tool; may be absent
     * @return the status, where it is not success
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
