package dev.neurontest.report.page;

import dev.neurontest.report.ReportedTest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Links from the page to files near it, so that the folder can be moved as a whole. */
final class PageLinks {

    private static final String PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    private final Path folder;

    PageLinks(Path page) {
        this.folder = Objects.requireNonNull(page.toAbsolutePath().normalize().getParent());
    }

    /** A name, with an address when there is a file behind it. */
    record Link(String name, Optional<String> address) {}

    Link link(ReportedTest.Attached attached) {
        return new Link(attached.name(), attached.file().flatMap(this::address));
    }

    /** Every part of the path is encoded, so that none is taken for a scheme, a host or a query. */
    private Optional<String> address(Path file) {
        Path target = file.toAbsolutePath().normalize();
        if (!Objects.equals(folder.getRoot(), target.getRoot())
                || !Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        List<String> parts = new ArrayList<>();
        folder.relativize(target).forEach(part -> parts.add(encoded(part.toString())));
        return Optional.of("./" + String.join("/", parts));
    }

    private static String encoded(String part) {
        StringBuilder encoded = new StringBuilder();
        for (byte each : part.getBytes(StandardCharsets.UTF_8)) {
            if (PLAIN.indexOf(each) >= 0) {
                encoded.append((char) each);
            } else {
                encoded.append('%').append(HexFormat.of().withUpperCase().toHexDigits(each));
            }
        }
        return encoded.toString();
    }
}
