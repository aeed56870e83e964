package dev.neurontest.runtime;

import dev.neurontest.device.RuntimeStatus;
import dev.neurontest.text.VisibleText;
import java.util.List;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** A call of the Neuron runtime that did not return {@code NRT_SUCCESS}: which call of what, what its status means, and what to do. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NrtException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** The function. */
    private final String function;

    /** What it was called with. */
    private final String what;

    /** The number that it returned. */
    private final int code;

    /** The version and path of the library. */
    private final String runtime;

    /** Lines of its log. */
    private final transient List<String> log;

    NrtException(String function, String what, RuntimeStatus status, String runtime, List<String> log) {
        super(VisibleText.of(message(function, what, status, runtime, log)));
        this.function = function;
        this.what = what;
        this.code = status.code();
        this.runtime = runtime;
        this.log = List.copyOf(log);
    }

    private static String message(
            String function, String what, RuntimeStatus status, String runtime, List<String> log) {
        String lines = log.isEmpty()
                ? ""
                : log.stream().map("\n    "::concat).collect(Collectors.joining("", "\n  its log said:", ""));
        return "%s of %s returned %s: %s. %s%s\n  runtime: %s"
                .formatted(function, what, status, status.meaning(), advice(function, status), lines, runtime);
    }

    private static String advice(String function, RuntimeStatus status) {
        return switch (function) {
            case "nrt_init" ->
                status.code() == 1
                        ? "Most often another process has the cores: neuron-ls shows which. Otherwise look at the runtime's log on stderr."
                        : byKind(status);
            case "nrt_load" ->
                switch (status.code()) {
                    case 1, 2, 6 ->
                        "Look whether the NEFF was compiled for this kind of device and for this size of logical cores (--lnc); the runtime's log on stderr says more.";
                    case 4 -> "Close models and tensors that are not needed any more, or give the model more cores.";
                    case 9 -> "The NEFF was compiled for more cores than this runtime has opened.";
                    case 10 -> "Compile it with the compiler of the runtime's release, or install a newer runtime.";
                    default -> byKind(status);
                };
            default -> byKind(status);
        };
    }

    private static String byKind(RuntimeStatus status) {
        if (status.code() == 5) {
            return "A kernel that hangs, or NEURON_RT_EXEC_TIMEOUT is too short for it. Prints that came before show how far it got.";
        }
        return switch (status.kind()) {
            case SUCCESS -> "";
            case KERNEL -> "Model or kernel: look at what it executes and at the input that it got.";
            case ENVIRONMENT ->
                "Environment, not the kernel: look at driver and memory, and at who else has the devices open (neuron-ls).";
            case HARDWARE ->
                "Hardware, not your kernel: run it on another core, and look at dmesg and at the ECC counters.";
            case OTHER ->
                "The status alone does not say whose fault it is: read the runtime's log on stderr around it.";
        };
    }

    /**
     * Which function of libnrt it was.
     *
     * @return such as {@code nrt_execute}
     */
    public String function() {
        return function;
    }

    /**
     * What it was called with.
     *
     * @return such as {@code matmul.neff on neuron0/neuron_core1}
     */
    public String what() {
        return what;
    }

    /**
     * What it returned.
     *
     * @return the status; its kind says who has to act
     */
    public RuntimeStatus status() {
        return RuntimeStatus.of(code);
    }

    /**
     * Which library it was.
     *
     * @return its version and path
     */
    public String runtime() {
        return runtime;
    }

    /**
     * What the runtime wrote to its log about it, as far as that was caught.
     *
     * @return its lines, often none
     */
    public List<String> log() {
        return log == null ? List.of() : log;
    }
}
