package dev.neurontest.runtime;

import dev.neurontest.internal.runtime.library.Libc;
import dev.neurontest.internal.runtime.library.TensorCalls;
import dev.neurontest.internal.tensor.TensorHash;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.tensor.TensorBytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The inputs or the outputs of an execution: a native tensor set and the owners of its tensors. */
final class TensorSet {

    static final String INPUT = "input";
    static final String OUTPUT = "output";

    /** Number of values in a unit of a packed type. */
    private static final int PACKED = 4;

    private final LoadedModel model;
    private final String kind;
    private final Map<String, TensorInfo> declared = new LinkedHashMap<>();
    private final Map<String, DeviceTensor> tensors = new LinkedHashMap<>();
    private final Map<String, DeviceTensor> owned = new LinkedHashMap<>();
    private final Map<String, DeviceTensor> filled = new LinkedHashMap<>();
    private final Map<String, String> whyNotFilled = new LinkedHashMap<>();
    private final long address;

    TensorSet(LoadedModel model, String kind, List<TensorInfo> declared) {
        this.model = model;
        this.kind = kind;
        declared.forEach(info -> this.declared.put(info.name(), info));
        long[] set = new long[1];
        model.runtime()
                .call(
                        "nrt_allocate_tensor_set",
                        "the %ss of %s".formatted(kind, model.file()),
                        model.core(),
                        () -> TensorCalls.nrt_allocate_tensor_set(set));
        this.address = set[0];
    }

    long address() {
        return address;
    }

    Map<String, TensorInfo> declared() {
        return declared;
    }

    /** Writes values of the test into a tensor that this execution owns. */
    void write(String name, Object values) {
        TensorInfo info = info(name);
        TensorBytes bytes = bytes(info, values);
        checkSize(info, bytes.size(), values.getClass().getSimpleName());
        ownedTensor(info, bytes.size()).write(bytes);
    }

    private TensorBytes bytes(TensorInfo info, Object values) {
        String type = values.getClass().getSimpleName();
        String fits = HostValues.arrayOf(info.dtype()).orElse(type);
        if (HostValues.isArrayOfNumbers(values) && !fits.equals(type)) {
            throw new IllegalArgumentException(
                    "%s %s of %s was given as %s, but its bits are not %s. Use a %s, or pass the bits as a byte[] or ByteBuffer."
                            .formatted(kind, info, model.file(), type, info.dtype(), fits));
        }
        try {
            return HostValues.bytes(values);
        } catch (IllegalArgumentException none) {
            throw new IllegalArgumentException(
                    "%s %s of %s was given as %s: %s".formatted(kind, info, model.file(), type, none.getMessage()),
                    none);
        }
    }

    /** Sets a tensor of the test in place of a tensor that this execution owns. */
    void use(String name, DeviceTensor tensor) {
        TensorInfo info = info(name);
        checkSize(info, tensor.bytes(), "tensor " + tensor.name());
        if (tensor.runtime() != model.runtime() || !tensor.core().equals(model.core())) {
            throw new IllegalArgumentException("%s is not on the core of %s".formatted(tensor, model));
        }
        put(name, tensor);
        DeviceTensor replaced = owned.remove(name);
        if (replaced != null) {
            replaced.close();
        }
    }

    /** Allocates all tensors except those with an uncertain size, which the test has to provide. */
    void allocateAll() {
        declared.values().stream().filter(info -> !mayBeQuarter(info)).forEach(info -> ownedTensor(info, info.bytes()));
    }

    private boolean mayBeQuarter(TensorInfo info) {
        return info.mayBeQuarter(model.runtime().version());
    }

    DeviceTensor tensor(String name) {
        DeviceTensor tensor = tensors.get(info(name).name());
        if (tensor == null) {
            throw new IllegalStateException("No value was given for %s of %s".formatted(name, model));
        }
        return tensor;
    }

    /**
     * Fills the tensors that this execution owns, unless the test wrote to them or they are inputs too.
     *
     * @param again false to fill only tensors that were never filled
     */
    void fill(TensorSet inputs, byte value, boolean again) {
        owned.forEach((name, tensor) -> {
            if (whyNotFillable(name, inputs).isEmpty() && (again || filled.get(name) != tensor)) {
                filled.remove(name);
                try {
                    tensor.fill(value);
                    filled.put(name, tensor);
                } catch (NrtException refused) {
                    whyNotFilled.put(name, "the runtime did not fill its tensor (%s)".formatted(refused.status()));
                }
            }
        });
    }

    /** Returns the reason why a tensor does not begin with the fill pattern; empty when it does. */
    String whyNotFilled(String name, TensorSet inputs) {
        String reason = whyNotFillable(name, inputs);
        return reason.isEmpty() && filled.get(name) != tensors.get(name)
                ? whyNotFilled.getOrDefault(name, "it was allocated after the last fill")
                : reason;
    }

    private String whyNotFillable(String name, TensorSet inputs) {
        DeviceTensor tensor = tensor(name);
        if (inputs.tensors.containsValue(tensor)) {
            return "its tensor is an input too";
        }
        if (owned.get(name) != tensor) {
            return "the test provided its tensor";
        }
        return tensor.isWrittenByTest() ? "the test wrote to its tensor" : "";
    }

    /** Returns a hash of the names and the content of all tensors, read from the device. */
    String hash() {
        TensorHash hash = new TensorHash();
        tensors.forEach((name, tensor) -> hash.add(name).add(TensorBytes.of(tensor.read())));
        return hash.text();
    }

    void requireComplete() {
        List<TensorInfo> unsure = declared.values().stream()
                .filter(info -> !tensors.containsKey(info.name()) && mayBeQuarter(info))
                .toList();
        if (!unsure.isEmpty() && kind.equals(OUTPUT)) {
            throw new IllegalArgumentException(
                    "The size of %s of %s is uncertain: runtime %s reports a quarter of the size of packed types (_x4) and does not report the type. Allocate the %s and pass it with Execution.output(name, tensor), or install runtime 2.33 or later."
                            .formatted(
                                    ListText.of(unsure),
                                    model.onCore(),
                                    model.runtime().version(),
                                    kind));
        }
        if (tensors.size() < declared.size()) {
            throw new IllegalArgumentException("%s was not given every %s; missing: %s"
                    .formatted(
                            model.onCore(),
                            kind,
                            declared.values().stream()
                                    .filter(info -> !tensors.containsKey(info.name()))
                                    .map(TensorInfo::toString)
                                    .collect(Collectors.joining(", "))));
        }
    }

    private DeviceTensor ownedTensor(TensorInfo info, long bytes) {
        DeviceTensor current = owned.get(info.name());
        if (current != null && current.bytes() == bytes) {
            return current;
        }
        DeviceTensor tensor = DeviceTensor.allocate(model.runtime(), model.core(), info.name(), bytes, true);
        owned.put(info.name(), tensor);
        put(info.name(), tensor);
        if (current != null) {
            current.close();
        }
        return tensor;
    }

    private void put(String name, DeviceTensor tensor) {
        long held = tensor.hold();
        try {
            byte[] nativeName = Libc.text(name);
            model.runtime()
                    .call(
                            "nrt_add_tensor_to_tensor_set",
                            "%s %s of %s".formatted(kind, name, model.file()),
                            model.core(),
                            () -> TensorCalls.nrt_add_tensor_to_tensor_set(address, nativeName, held));
        } catch (RuntimeException failed) {
            tensor.release();
            throw failed;
        }
        DeviceTensor replaced = tensors.put(name, tensor);
        if (replaced != null) {
            replaced.release();
        }
    }

    private TensorInfo info(String name) {
        TensorInfo info = declared.get(name);
        if (info == null) {
            throw new IllegalArgumentException("%s has no %s \"%s\"; it has: %s"
                    .formatted(model.file(), kind, name, declared.isEmpty() ? "none" : ListText.of(declared.values())));
        }
        return info;
    }

    private void checkSize(TensorInfo info, long size, String what) {
        boolean fits = size == info.bytes() || (mayBeQuarter(info) && size == info.bytes() * PACKED);
        if (!fits) {
            throw new IllegalArgumentException(
                    "%s %s of %s was given as %s of %s bytes".formatted(kind, info, model.file(), what, size));
        }
    }

    /** Frees the set and then its tensors, because tensors must exist as long as their set. */
    void free() {
        model.runtime()
                .call("nrt_destroy_tensor_set", "the %ss of %s".formatted(kind, model.file()), model.core(), () -> {
                    TensorCalls.nrt_destroy_tensor_set(new long[] {address});
                    return 0;
                });
        new ArrayList<>(tensors.values()).forEach(DeviceTensor::release);
        tensors.clear();
        owned.values().forEach(DeviceTensor::close);
    }
}
