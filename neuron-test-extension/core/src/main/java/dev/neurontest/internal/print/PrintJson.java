package dev.neurontest.internal.print;

import dev.neurontest.internal.json.Json;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.tensor.Mismatch;
import dev.neurontest.internal.tensor.TensorComparison;
import dev.neurontest.internal.tensor.TensorComparisonText;
import dev.neurontest.internal.tensor.ValueSummary;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintOrigin;
import dev.neurontest.tensor.Npy;
import dev.neurontest.tensor.TensorBytes;
import dev.neurontest.tensor.TensorView;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import tools.jackson.core.JsonGenerator;

/** Writer of the JSON form that {@link DevicePrints#toJson()} documents. */
@API(status = API.Status.INTERNAL)
public final class PrintJson {

    private static final int VERSION = 1;
    private static final int MOST_LISTED = 10_000;

    /** Maximum number of listed prints that a JVM has left. It is higher because they are recorded nowhere else. */
    private static final int MOST_LEFT = 100_000;

    private static final int MOST_BYTES = 1024;

    private final JsonGenerator json;

    private PrintJson(JsonGenerator json) {
        this.json = json;
    }

    public static String of(DevicePrints prints) {
        return Json.text(json -> new PrintJson(json).write(prints.frozen()));
    }

    private void write(DevicePrints prints) {
        PrintAttachments attachments = PrintAttachments.of(prints);
        Set<Long> attached =
                attachments.chosen().stream().map(DevicePrint::order).collect(Collectors.toSet());
        List<DevicePrint> all = prints.all();
        List<OddEvent> odd = prints.oddEvents();
        json.writeStartObject();
        json.writeNumberProperty("version", VERSION);
        json.writeStringProperty("kind", Measurement.PRINTS);
        json.writeStringProperty("completeness", prints.completeness().name().toLowerCase(Locale.ROOT));
        array("doubts", prints.doubts(), this::doubt);
        array("prefixes", List.copyOf(prints.prefixes().entrySet()), this::prefix);
        List<DevicePrint> listed = listed(all);
        array("prints", listed, print -> print(prints, print, attached.contains(print.order())));
        json.writeNumberProperty("notListed", all.size() - listed.size());
        json.writeNumberProperty("notAttached", attachments.notAttached());
        array("mismatches", prints.compared(), this::mismatch);
        array("odd", odd.stream().limit(MOST_LISTED).toList(), this::odd);
        json.writeNumberProperty("oddNotListed", Math.max(0, odd.size() - MOST_LISTED));
        json.writeEndObject();
    }

    private static List<DevicePrint> listed(List<DevicePrint> all) {
        boolean isLeftByJvm = !all.isEmpty() && all.get(0).origin() == PrintOrigin.LEFT;
        int first = isLeftByJvm ? Math.max(0, all.size() - MOST_LEFT) : 0;
        return all.subList(first, isLeftByJvm ? all.size() : Math.min(all.size(), MOST_LISTED));
    }

    private <T> void array(String name, List<T> elements, Consumer<T> element) {
        json.writeName(name);
        json.writeStartArray();
        elements.forEach(each -> {
            json.writeStartObject();
            element.accept(each);
            json.writeEndObject();
        });
        json.writeEndArray();
    }

    private void prefix(Map.Entry<String, Integer> prefix) {
        json.writeStringProperty("prefix", prefix.getKey());
        json.writeNumberProperty("count", prefix.getValue());
    }

    private void doubt(PrintDoubt doubt) {
        json.writeStringProperty("kind", name(doubt.kind()));
        json.writeStringProperty("reason", doubt.reason());
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private void print(DevicePrints prints, DevicePrint print, boolean isAttached) {
        TensorView tensor = print.tensor();
        json.writeNumberProperty("order", print.order());
        json.writeStringProperty("prefix", print.prefix());
        json.writeStringProperty("arrived", print.arrived().toString());
        json.writeStringProperty("origin", name(print.origin()));
        json.writeNumberProperty("coreIndex", print.coreIndex());
        json.writeNumberProperty("coreId", print.coreId());
        json.writeStringProperty("core", prints.core(print));
        print.source().ifPresent(source -> {
            json.writeNumberProperty("rank", source.rank());
            json.writeStringProperty("host", source.host());
        });
        json.writeNumberProperty("pipe", print.pipe());
        json.writeStringProperty("dtype", print.dtype());
        shape("shape", print.shape());
        json.writeNumberProperty("bytes", print.data().size());
        if (tensor.isDecodable() || tensor.isAbbreviated()) {
            values(prints.summary(print));
        }
        if (!tensor.isDecodable()) {
            json.writeStringProperty("notDecoded", tensor.trouble());
        }
        print.abbreviation().ifPresent(part -> shape("written", part.written()));
        if (isAttached) {
            json.writeStringProperty("file", PrintNames.file(print));
            json.writeStringProperty("numpy", Npy.descr(tensor.written()));
        }
        if (!isZero(print.reserved())) {
            json.writeStringProperty("reserved", hexadecimal(print.reserved()));
        }
    }

    private void values(ValueSummary summary) {
        json.writeName("values");
        json.writeStartObject();
        summary.least().ifPresent(least -> json.writeNumberProperty("least", least));
        summary.most().ifPresent(most -> json.writeNumberProperty("most", most));
        json.writeNumberProperty("nan", summary.nan());
        json.writeNumberProperty("infinite", summary.infinite());
        json.writeEndObject();
    }

    private void shape(String name, List<Long> shape) {
        json.writeName(name);
        json.writeStartArray();
        shape.forEach(json::writeNumber);
        json.writeEndArray();
    }

    private static boolean isZero(TensorBytes bytes) {
        for (long i = 0; i < bytes.size(); i++) {
            if (bytes.byteAt(i) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Formats the first bytes only, because a payload may be long. */
    private static String hexadecimal(TensorBytes bytes) {
        byte[] first = new byte[(int) Math.min(MOST_BYTES, bytes.size())];
        for (int i = 0; i < first.length; i++) {
            first[i] = bytes.byteAt(i);
        }
        return HexFormat.of().formatHex(first);
    }

    private void mismatch(ComparedPrint compared) {
        TensorComparison comparison = compared.comparison();
        json.writeNumberProperty("order", compared.print().order());
        json.writeStringProperty("prefix", compared.print().prefix());
        json.writeStringProperty("tolerance", comparison.tolerance().toString());
        json.writeStringProperty("found", TensorComparisonText.headline(comparison));
        json.writeNumberProperty("mismatches", comparison.mismatches());
        array("first", comparison.first(), this::value);
        array("worst", comparison.worst().stream().toList(), this::value);
    }

    private void value(Mismatch mismatch) {
        shape("index", mismatch.index());
        json.writeStringProperty("expected", mismatch.expected());
        json.writeStringProperty("actual", mismatch.actual());
        json.writeStringProperty("difference", TensorComparisonText.difference(mismatch.difference()));
        mismatch.ulps().ifPresent(ulps -> json.writeNumberProperty("ulps", ulps));
    }

    private void odd(OddEvent event) {
        json.writeNumberProperty("order", event.order());
        json.writeStringProperty("arrived", event.arrived().toString());
        json.writeStringProperty("origin", name(event.origin()));
        json.writeNumberProperty("coreIndex", event.coreIndex());
        json.writeNumberProperty("type", event.type());
        json.writeStringProperty("reason", event.reason());
        json.writeStringProperty("header", hexadecimal(event.header()));
        json.writeNumberProperty("bytes", event.payload().size());
        json.writeStringProperty("payload", hexadecimal(event.payload()));
    }
}
