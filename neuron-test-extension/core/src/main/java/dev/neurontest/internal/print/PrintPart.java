package dev.neurontest.internal.print;

import dev.neurontest.print.DevicePrint;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/** A sublist of prints that are decoded lazily, because there may be hundreds of thousands. */
@API(status = API.Status.INTERNAL)
public final class PrintPart extends AbstractList<DevicePrint> implements RandomAccess {

    private final List<DevicePrint> all;
    private int[] places = new int[8];
    private int size;

    private PrintPart(List<DevicePrint> all) {
        this.all = all;
    }

    /** Returns the matching prints. */
    public static List<DevicePrint> of(List<DevicePrint> all, Predicate<DevicePrint> filter) {
        return by(all, filter::test).getOrDefault(true, List.of());
    }

    /** Returns groups of prints in the order of their first arrival. */
    public static <K> Map<K, List<DevicePrint>> by(List<DevicePrint> all, Function<DevicePrint, K> key) {
        Map<K, List<DevicePrint>> groups = new LinkedHashMap<>();
        for (int place = 0; place < all.size(); place++) {
            K group = key.apply(all.get(place));
            ((PrintPart) groups.computeIfAbsent(group, first -> new PrintPart(all))).put(place);
        }
        return groups;
    }

    private void put(int place) {
        if (size == places.length) {
            places = Arrays.copyOf(places, 2 * size);
        }
        places[size++] = place;
    }

    @Override
    public DevicePrint get(int index) {
        return all.get(places[Objects.checkIndex(index, size)]);
    }

    @Override
    public int size() {
        return size;
    }
}
