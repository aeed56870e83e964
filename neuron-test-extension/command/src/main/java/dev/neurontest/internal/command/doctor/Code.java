package dev.neurontest.internal.command.doctor;

import dev.neurontest.internal.command.doctor.DoctorFinding.Level;
import java.util.Locale;
import org.apiguardian.api.API;

/** What can be wrong on a host, as programs tell it apart. The schema of the JSON lists the same. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Code {
    /** A setting cannot be understood. */
    MISTAKEN_SETTING("settings", Level.FAIL),
    /** A property or variable looks like a setting and is none. */
    UNKNOWN_SETTING("settings", Level.WARN),
    /** There is no such host. */
    NO_HOST("host", Level.FAIL),
    /** The host is otherwise than it was chosen. */
    OTHER_HOST("host", Level.WARN),
    /** The version of the driver cannot be seen. */
    HIDDEN_DRIVER_VERSION("driver", Level.WARN),
    /** Counters move late. */
    LATE_COUNTERS("driver", Level.WARN),
    /** Something about the devices is odd. */
    ODD_DEVICES("devices", Level.WARN),
    /** There are fewer devices than the instance type has. */
    MISSING_DEVICE("devices", Level.WARN),
    /** A device reports itself as broken. */
    BROKEN_DEVICE("devices", Level.FAIL),
    /** The driver cannot talk to a device. */
    UNREACHABLE_DEVICE("devices", Level.FAIL),
    /** A file of a device cannot be read. */
    UNREADABLE_DEVICE("devices", Level.FAIL),
    /** Memory of a device had an error that was not corrected. */
    UNCORRECTED_MEMORY_ERROR("devices", Level.WARN),
    /** The kernel log has a line about a device. */
    LOGGED_ERROR("kernel log", Level.WARN),
    /** The kernel log cannot be read. */
    UNREADABLE_KERNEL_LOG("kernel log", Level.WARN),
    /** Counters cannot be read. */
    UNREADABLE_COUNTERS("counters", Level.FAIL),
    /** An error could go unseen. */
    UNSEEN_ERRORS("counters", Level.WARN),
    /** Nodes stand elsewhere than those of any known driver. */
    UNKNOWN_NODES("counters", Level.WARN),
    /** This user must not open the devices. */
    CLOSED_DEVICE("access", Level.FAIL),
    /** A process has a device open. */
    DEVICE_IN_USE("owners", Level.WARN),
    /** The table of leases cannot be used. */
    UNUSABLE_LEASES("leases", Level.FAIL),
    /** Other users cannot lease. */
    LEASES_OF_ONE_USER("leases", Level.WARN),
    /** An ordinary user can replace the table of leases. */
    REPLACEABLE_LEASES("leases", Level.WARN),
    /** The host and other containers do not share the leases. */
    LEASES_OF_ONE_CONTAINER("leases", Level.WARN),
    /** No JVM made a file in the directory of leases. */
    PLANTED_FILE("leases", Level.WARN),
    /** Programs of a dead JVM cannot be seen from other containers. */
    UNSEEN_PROGRAMS("leases", Level.WARN),
    /** The JVM of a lease has ended. */
    DEAD_LEASE("leases", Level.WARN),
    /** A JVM that waits does not answer. */
    PASSED_OVER("leases", Level.WARN),
    /** No test gets a core. */
    QUARANTINE("quarantine", Level.WARN),
    /** A core stays in quarantine although a person wants it freed. */
    NOT_FREED("quarantine", Level.FAIL),
    /** There is no profiler. */
    NO_PROFILER("profiler", Level.WARN),
    /** There is no runtime library. */
    NO_RUNTIME("libnrt", Level.WARN),
    /** The environment chooses cores. */
    CHOSEN_CORES("libnrt", Level.WARN),
    /** The driver and the runtime are known not to work together. */
    DRIVER_RUNTIME_MISMATCH("versions", Level.FAIL),
    /** Whether the driver and the runtime work together is not known. */
    DRIVER_RUNTIME_UNVERIFIED("versions", Level.WARN),
    /** The JVM warns of native access. */
    NATIVE_ACCESS("java", Level.WARN),
    /** A process of a dead JVM is there. */
    PROCESS_LEFT("left", Level.WARN),
    /** What a dead JVM left could not be ended or removed. */
    NOT_REAPED("left", Level.FAIL);

    private final String area;
    private final Level level;

    Code(String area, Level level) {
        this.area = area;
        this.level = level;
    }

    String area() {
        return area;
    }

    Level level() {
        return level;
    }

    /** Such as {@code missing-device}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
