package dev.neurontest.internal.participant.replay;

import dev.neurontest.internal.archive.HostArchive;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.json.RecordWriter;
import dev.neurontest.internal.judgement.Attachment;
import dev.neurontest.internal.judgement.Measurement;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The recorded host files of a test that did not pass, for a replay on another machine.
 *
 * @param test the name of the test
 * @param host the name of the host in messages
 */
record RecordedHost(String test, String host, HostArchive archive) implements Measurement {

    private static final int VERSION = 1;
    private static final String SUFFIX = ".archive.txt";

    @Override
    public String kind() {
        return "recording";
    }

    private String fileName() {
        return "neuron-" + kind() + SUFFIX;
    }

    @Override
    public String toText() {
        HostArchive.Coverage coverage = archive.coverage();
        @Nullable String shortfall = coverage.shortfall();
        return String.format(
                Locale.ROOT,
                """
                %s contains the %d files of %s as they were when %s began,
                and the changes of %d of them during the test: %d, found in %d reads in %.1f s.
                %sTo repeat this without hardware, run the same test with
                  -D%s=replay:%s
                and write the path of that file instead of its name.
                """,
                fileName(),
                archive.files(),
                host,
                test,
                coverage.watched(),
                coverage.changes(),
                coverage.looks(),
                coverage.lasted().toMillis() / 1e3,
                shortfall == null ? "" : "The recording is incomplete: " + shortfall + ".\n",
                Setting.PLATFORM,
                fileName());
    }

    @Override
    public String toJson() {
        HostArchive.Coverage coverage = archive.coverage();
        return RecordWriter.text(new Content(
                VERSION,
                kind(),
                fileName(),
                host,
                archive.files(),
                coverage.watched(),
                coverage.looks(),
                coverage.changes(),
                coverage.lasted().toMillis() / 1e3,
                coverage.shortfall()));
    }

    private record Content(
            int version,
            String kind,
            String file,
            String host,
            int files,
            int watched,
            long looks,
            long changes,
            double seconds,
            @Nullable String shortfall) {}

    /**
     * Returns the archive as a binary attachment. Texts that look like secrets are masked in text attachments. Driver counts are no
     * secrets, and a masked archive could not be replayed.
     */
    @Override
    public List<Attachment> attachments() {
        return List.of(new Attachment(SUFFIX, "application/x-neuron-archive", archive.bytes()));
    }
}
