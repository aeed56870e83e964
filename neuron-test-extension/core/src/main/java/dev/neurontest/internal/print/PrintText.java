package dev.neurontest.internal.print;

import dev.neurontest.internal.tensor.TensorComparisonText;
import dev.neurontest.internal.tensor.TensorText;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.internal.text.TextTable;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.tensor.TensorView;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;

/** The attached text of the prints for human readers. */
@API(status = API.Status.INTERNAL)
public final class PrintText {

    private static final int MOST_CHARACTERS = 1 << 19;
    private static final int MOST_PREFIXES = 200;
    private static final int MOST_ODD = 20;
    private static final int LISTED = 3;

    private final DevicePrints prints;
    private final StringBuilder text = new StringBuilder();

    private PrintText(DevicePrints prints) {
        this.prints = prints;
    }

    public static String of(DevicePrints prints) {
        return new PrintText(prints.frozen()).write();
    }

    /** Joins the first few words, followed by the number of the others. */
    public static String joined(Collection<String> words) {
        return ListText.some(words, LISTED);
    }

    static String headline(DevicePrints prints) {
        int number = prints.size();
        int prefixes = prints.prefixes().size();
        return number == 0
                ? "No device prints"
                : CountText.of(number, "device print") + " with " + CountText.of(prefixes, "prefix");
    }

    private String write() {
        text.append(headline(prints)).append(": ").append(prints.completeness()).append('\n');
        list("In doubt", prints.doubts().stream().map(PrintText::line).toList());
        list("Noticed", noticed(prints));
        prefixes();
        prints.compared()
                .forEach(each -> text.append('\n')
                        .append(TensorComparisonText.of(PrintNames.label(each.print()), each.comparison())));
        tensors();
        odd();
        PrintAttachments attachments = PrintAttachments.of(prints);
        if (attachments.notAttached() > 0) {
            text.append("\nAttached as .npy: %s; %s more not attached, since there are too many.\n"
                    .formatted(attachments.chosen().size(), attachments.notAttached()));
        }
        return text.toString();
    }

    /** Returns remarkable observations except the doubts, which have a separate section. */
    static List<String> noticed(DevicePrints prints) {
        return new PrintCheck(prints).remarkable(List.of());
    }

    static String line(PrintDoubt doubt) {
        return "%s: %s".formatted(doubt.kind().name().toLowerCase(Locale.ROOT), doubt.reason());
    }

    private void list(String title, List<String> lines) {
        if (!lines.isEmpty()) {
            text.append('\n').append(title).append(":\n");
            lines.forEach(line -> text.append("  ").append(line).append('\n'));
        }
    }

    private void prefixes() {
        if (prints.isEmpty()) {
            return;
        }
        TextTable table = new TextTable("prefix", ">prints", "cores", "dtype", "shape");
        Map<String, List<DevicePrint>> groups = prints.byPrefix();
        groups.entrySet().stream().limit(MOST_PREFIXES).forEach(each -> {
            Set<String> cores = new LinkedHashSet<>();
            Set<String> dtypes = new LinkedHashSet<>();
            Set<String> shapes = new LinkedHashSet<>();
            each.getValue().forEach(print -> {
                cores.add(prints.core(print));
                dtypes.add(print.dtype());
                shapes.add(print.tensor().shapeText());
            });
            table.row(
                    PrintNames.quoted(each.getKey()),
                    Integer.toString(each.getValue().size()),
                    joined(cores),
                    joined(dtypes),
                    joined(shapes));
        });
        text.append('\n').append(table);
        int more = groups.size() - MOST_PREFIXES;
        text.append(more > 0 ? "and %s more\n".formatted(more) : "");
    }

    private void tensors() {
        List<DevicePrint> all = prints.all();
        int shown = 0;
        while (shown < all.size() && text.length() < MOST_CHARACTERS) {
            text.append('\n').append(tensor(all.get(shown++)));
        }
        if (shown < all.size()) {
            text.append("\n%s more not shown, since there are too many.\n".formatted(all.size() - shown));
        }
    }

    private String tensor(DevicePrint print) {
        TensorView tensor = print.tensor();
        return "%s on %s%s, %s, %s, by %s%s\n%s\n"
                .formatted(
                        PrintNames.label(print),
                        prints.place(print),
                        print.pipe() == 0 ? "" : ", pipe " + print.pipe(),
                        TensorComparisonText.described(tensor),
                        print.arrived(),
                        print.origin().name().toLowerCase(Locale.ROOT),
                        tensor.isDecodable() ? "" : "\nnot decoded: " + tensor.trouble(),
                        TensorText.of(tensor));
    }

    private void odd() {
        List<OddEvent> odd = prints.oddEvents();
        list(
                "Events that are not prints, kept unchanged",
                odd.stream()
                        .limit(MOST_ODD)
                        .map(event -> "event %s on core %s, type %s, %s bytes: %s"
                                .formatted(
                                        event.order(),
                                        event.coreIndex(),
                                        event.type(),
                                        event.payload().size(),
                                        event.reason()))
                        .toList());
        text.append(odd.size() > MOST_ODD ? "  and %s more\n".formatted(odd.size() - MOST_ODD) : "");
    }
}
