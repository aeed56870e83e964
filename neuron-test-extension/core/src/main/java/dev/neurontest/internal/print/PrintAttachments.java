package dev.neurontest.internal.print;

import dev.neurontest.internal.judgement.Attachment;
import dev.neurontest.internal.judgement.MeasuredTest;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.PrintOrigin;
import dev.neurontest.tensor.Npy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The attached files in addition to the text and the JSON, limited in number and bytes. Prints of failed assertions have priority, then
 * prints with NaN, then the others in the order of arrival.
 */
@API(status = API.Status.INTERNAL)
public final class PrintAttachments {

    private static final int MOST_FILES = 256;
    private static final long MOST_BYTES = 64L << 20;

    private final DevicePrints prints;
    private final List<DevicePrint> chosen;
    private final int notAttached;

    private PrintAttachments(DevicePrints prints, List<DevicePrint> chosen, int notAttached) {
        this.prints = prints;
        this.chosen = chosen;
        this.notAttached = notAttached;
    }

    public static PrintAttachments of(DevicePrints prints) {
        return of(prints, MOST_FILES, MOST_BYTES);
    }

    static PrintAttachments of(DevicePrints prints, int mostFiles, long mostBytes) {
        DevicePrints arrived = prints.frozen();
        List<DevicePrint> all = arrived.all();
        Set<Long> compared = new HashSet<>();
        prints.compared().forEach(each -> compared.add(each.print().order()));
        Set<Long> orders = new HashSet<>();
        long bytes = 0;
        // The files left by a JVM are only read by a report, which attaches no files.
        boolean isLeftByJvm = !all.isEmpty() && all.get(0).origin() == PrintOrigin.LEFT;
        List<List<DevicePrint>> groups = List.of(
                compared.isEmpty() ? List.of() : PrintPart.of(all, print -> compared.contains(print.order())),
                PrintPart.of(arrived.notFinite(), print -> prints.summary(print).nan() > 0),
                all);
        for (List<DevicePrint> group : isLeftByJvm ? List.<List<DevicePrint>>of() : groups) {
            for (int place = 0; place < group.size() && orders.size() < mostFiles; place++) {
                DevicePrint print = group.get(place);
                if (bytes + print.data().size() <= mostBytes && orders.add(print.order())) {
                    bytes += print.data().size();
                }
            }
        }
        List<DevicePrint> chosen = all.stream()
                .filter(print -> orders.contains(print.order()))
                .limit(orders.size())
                .toList();
        return new PrintAttachments(arrived, chosen, all.size() - chosen.size());
    }

    /** Returns the attached prints in the order of arrival. */
    List<DevicePrint> chosen() {
        return chosen;
    }

    /** Returns the number of prints that are not attached. */
    int notAttached() {
        return notAttached;
    }

    /**
     * Returns the picture and a {@code .npy} file for each chosen print.
     *
     * @param test the test of the prints, for the heading of the picture
     */
    public List<Attachment> all(MeasuredTest test) {
        List<Attachment> files = new ArrayList<>();
        if (!prints.isEmpty()) {
            files.add(new Attachment(
                    ".html", "text/html", PrintPicture.html(test, prints).getBytes(StandardCharsets.UTF_8)));
        }
        chosen.forEach(
                print -> files.add(new Attachment(PrintNames.file(print), "application/octet-stream", npy(print))));
        return files;
    }

    private static byte[] npy(DevicePrint print) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            Npy.write(print.tensor().written(), out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
