package dev.neurontest.internal.evidence;

import dev.neurontest.internal.configuration.Origin;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.judgement.NotApplicable;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.process.Redaction;
import dev.neurontest.internal.text.CountText;
import java.math.BigInteger;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * An event of a run. In the run file it is a JSON object of its components. The name of the event is the name of the record with
 * a small first letter. The name of a duration ends in {@code Nanos}. Null components are omitted. {@link LineWriter} describes
 * the other omissions.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface RunEvent {

    /** An event of a test. */
    interface OfTest {

        /**
         * Returns the test.
         *
         * @return null for a notice about the run
         */
        @Nullable
        TestId test();
    }

    /** An event of a test on cores. */
    interface OnCores extends OfTest {

        /** Returns the names of the cores. */
        List<String> cores();
    }

    /**
     * The start of the use of Neuron by a JVM; always the first line.
     *
     * @param version the version of the format, increased with each change, because a reader rejects unknown formats
     * @param pid the process id of the JVM
     * @param java the version of Java
     * @param os the operating system: name, version, architecture
     * @param module the version of this extension
     * @param directory the name of the working directory, without its path
     * @param machine the name of the machine, to distinguish hosts that are all named {@code /}; empty if it has none
     * @param tool the tool that started the JVM; null if unknown
     */
    record RunStarted(
            int version,
            long pid,
            String java,
            String os,
            String module,
            String directory,
            String machine,
            @Nullable TestTool tool)
            implements RunEvent {}

    /**
     * The membership of the JVM in a run, which might contain other JVMs. A JVM without this line belongs to any run.
     *
     * @param run an id, such as {@code GitHub run 4711}
     * @param chosen true if the settings or a CI server give the id; otherwise it is the process that started the JVM, which
     *     differs between hosts
     */
    record PartOfRun(String run, boolean chosen) implements RunEvent {}

    /**
     * A host of a cluster, when a test needs it first.
     *
     * @param engine the name of what reaches it, such as {@code Slurm}
     * @param name the name of the host in messages and before its cores
     * @param kind its kind, such as {@code real}
     * @param instanceType for example {@code trn1.32xlarge}; null if the host does not show it
     * @param driverVersion null if the host does not show it
     * @param devices the number of devices
     * @param cores the number of logical NeuronCores
     */
    record HostAdded(
            String engine,
            String name,
            String kind,
            @Nullable String instanceType,
            @Nullable String driverVersion,
            int devices,
            int cores)
            implements RunEvent {

        /**
         * Returns the description of the host without its name, for reports.
         *
         * @return for example {@code by Slurm: trn1.32xlarge (real), driver 2.30.51.0, 16 devices with 32 cores}
         */
        public String words() {
            return "by %s: %s (%s)%s, %s with %s"
                    .formatted(
                            engine,
                            instanceType == null ? "unknown type" : instanceType,
                            kind,
                            driverVersion == null ? "" : ", driver " + driverVersion,
                            CountText.of(devices, "device"),
                            CountText.of(cores, "core"));
        }
    }

    /**
     * A setting with a value in any source. These lines precede the choice of the host, so a host that cannot be opened has them, too.
     * Settings that only select tests or name where output goes are left out.
     *
     * @param name the name of the setting, such as {@code neuron.test.platform}
     * @param value the text of the value, with masked secrets
     * @param origin the source of the text
     */
    record Configured(String name, String value, Origin origin) implements RunEvent {}

    /**
     * The shard of a suite that the JVM runs. It is repeated when one of the last two members changes.
     *
     * @param shard the number of the shard, from 1
     * @param count the number of shards
     * @param timings a hash of the timings file; empty without a file
     * @param job the engine's name of this attempt at the shard, such as {@code Slurm job 4711}; null if it has none
     * @param restarts the number of times that the engine has restarted the job
     * @param code the identifier of the code in a folder or jar of the discovered tests, before any were excluded; empty if there
     *     were none
     * @param timed true if the timings file has a class that was discovered here
     */
    record Sharded(
            int shard, int count, String timings, @Nullable String job, int restarts, String code, boolean timed)
            implements RunEvent {

        /** Creates the event and rejects an impossible shard. */
        public Sharded {
            if (shard < 1 || shard > count) {
                throw new IllegalArgumentException(
                        "is shard %s of %s, expected 1 to %s".formatted(shard, count, count));
            }
        }
    }

    /**
     * A Neuron test in the plan of an execution of JUnit's launcher. All such lines of a plan precede its first test. A template,
     * a test factory or a class template counts as a single planned test, because its invocations are unknown.
     *
     * @param test the planned test
     */
    record Planned(TestId test) implements RunEvent, OfTest {}

    /**
     * The end of all invocations of a planned template. The invocations have their own ends.
     *
     * @param test the template
     */
    record TemplateFinished(TestId test) implements RunEvent, OfTest {}

    /** The normal end of the execution of a plan by JUnit's launcher. A planned test without an end was excluded on request. */
    record PlanFinished() implements RunEvent {}

    /**
     * The abnormal end of the execution of a plan by an exception of JUnit's launcher, for example after an
     * {@code OutOfMemoryError}. A planned test without an end is lost.
     *
     * @param running the names of started tests without an end, including tests that do not use Neuron
     */
    record PlanGivenUp(List<String> running) implements RunEvent {

        /** Creates the event with a copy of the list. */
        public PlanGivenUp {
            running = List.copyOf(running);
        }
    }

    /**
     * The host of the run.
     *
     * @param kind the label of tests: {@code real}, {@code fake} or {@code root}
     * @param host the name of the host in messages
     * @param choice the text of the setting
     * @param origin the origin of the setting
     * @param instanceType for example {@code trn1.2xlarge}; null if the host does not show it
     * @param layout the layout of a fake host; otherwise null
     * @param driverVersion null if the host does not show it
     * @param devices the number of devices
     * @param cores the number of logical NeuronCores
     * @param lnc the number of physical cores of a logical core
     */
    record PlatformChosen(
            String kind,
            String host,
            String choice,
            String origin,
            @Nullable String instanceType,
            @Nullable String layout,
            @Nullable String driverVersion,
            int devices,
            int cores,
            int lnc)
            implements RunEvent {

        /**
         * Returns the labels of tests in reports, which distinguish a fake host from hardware.
         *
         * @return names and values, for JUnit's report entries and for Allure's labels
         */
        public Map<String, String> labels() {
            Map<String, String> labels = new LinkedHashMap<>();
            labels.put("neuron.platform", kind);
            if (instanceType != null) {
                labels.put("neuron.instance", instanceType);
            }
            if (driverVersion != null) {
                labels.put("neuron.driver", driverVersion);
            }
            return labels;
        }

        /**
         * Returns the description of the host for reports.
         *
         * @return for example {@code trn2.48xlarge (real), driver 2.30.51.0, 16 devices with 64 cores, LNC 2}
         */
        public String words() {
            return "%s (%s)%s, %s with %s%s"
                    .formatted(
                            instanceType == null ? host : instanceType,
                            kind,
                            driverVersion == null ? "" : ", driver " + driverVersion,
                            CountText.of(devices, "device"),
                            CountText.of(cores, "core"),
                            lnc == 1 ? "" : ", LNC " + lnc);
        }
    }

    /**
     * The start of a wait for cores.
     *
     * @param test the test
     * @param request the request in the user's words, such as {@code 2 cores in a row}
     */
    record Requested(TestId test, String request) implements RunEvent, OfTest {}

    /**
     * The grant of cores to a test.
     *
     * @param test the test
     * @param cores for example {@code neuron0/neuron_core1}, or {@code core 5 (neuron1/neuron_core2, neuron1/neuron_core3)} if
     *     the logical number does not follow from the physical ones; the part before the slash is the device
     * @param waited the time since the request
     */
    record Leased(TestId test, List<String> cores, Duration waited) implements RunEvent, OnCores {

        /** Creates the event with a copy of the list. */
        public Leased {
            cores = List.copyOf(cores);
        }
    }

    /**
     * The timeout of a wait for cores.
     *
     * @param test the test
     * @param waited the time since the request
     */
    record WaitedInVain(TestId test, Duration waited) implements RunEvent, OfTest {}

    /** The start of a phase. */
    record PhaseStarted(TestId test, Phase phase) implements RunEvent, OfTest {}

    /**
     * The end of a measurement.
     *
     * @param test the test
     * @param kind the kind of the measurement, such as {@code counters}
     * @param recording the measurement; without members if it is empty
     */
    record Recorded(TestId test, String kind, JsonObject recording) implements RunEvent, OfTest {}

    /**
     * A violated expectation.
     *
     * @param test the test
     * @param violation the expectation and the actual value
     */
    record Violated(TestId test, Violation violation) implements RunEvent, OfTest {}

    /**
     * An undecided expectation.
     *
     * @param test the test
     * @param undecided the expectation and the reason
     */
    record LeftUndecided(TestId test, Undecided undecided) implements RunEvent, OfTest {}

    /**
     * An expectation that does not apply to what the test did.
     *
     * @param test the test
     * @param notApplicable the expectation and the reason
     */
    record NotApplied(TestId test, NotApplicable notApplicable) implements RunEvent, OfTest {}

    /**
     * A test whose programs all simulated their kernels. It did not run on the device, whatever the host is.
     *
     * @param test the test
     */
    record OnlySimulated(TestId test) implements RunEvent, OfTest {}

    /**
     * A notice for the reader, without an error.
     *
     * @param test the test; null if the notice is about the run
     * @param notice a sentence
     */
    record Noticed(@Nullable TestId test, String notice) implements RunEvent, OfTest {}

    /**
     * The end of a replay of a recording made around a test.
     *
     * @param test the recorded test; its id is empty if the recording does not contain it
     * @param ran true if the test ran in this JVM
     */
    record Replayed(TestId test, boolean ran) implements RunEvent, OfTest {

        /**
         * Returns the meaning of a replay without its test.
         *
         * @return a sentence
         */
        public String missing() {
            return "The recording is of \"%s\", which did not run: none of its events were replayed."
                    .formatted(test.name());
        }
    }

    /**
     * The comparison of a metric of a test with its baseline.
     *
     * @param test the test
     * @param comparison the comparison with its outcome, as written by the baseline package
     */
    record Compared(TestId test, JsonObject comparison) implements RunEvent, OfTest {}

    /**
     * A reading of the error counters of the whole host.
     *
     * @param moment the start or the end of the use of the host by this JVM
     * @param counters a value for each counter by place and name, such as {@code neuron3 hardware/mem_ecc_uncorrected}; empty if
     *     it is unreadable
     * @param identities the identifiers of the directories of the module and of the devices, by path; they change when another
     *     directory takes the same path
     * @param unhealthy the components that devices report as broken, by device; empty for a healthy device
     * @param kernelLog the lines of the kernel log since the boot with the serial number of a device, by device and time such as
     *     {@code neuron3 kernel log [65.345678]}; empty for a line that failed a test of this JVM
     */
    record HostErrors(
            Moment moment,
            Map<String, Optional<BigInteger>> counters,
            Map<String, String> identities,
            Map<String, String> unhealthy,
            Map<String, String> kernelLog)
            implements RunEvent {}

    /** The start or the end of the use of the host by a JVM. */
    enum Moment {
        START,
        END
    }

    /**
     * The version of software that ran on the host.
     *
     * @param name for example {@code profiler} or {@code runtime}
     * @param version the version as the software reports it
     */
    record VersionKnown(String name, String version) implements RunEvent {}

    /**
     * A file attached to a test.
     *
     * @param test the test
     * @param name the file name
     * @param mediaType for example {@code text/plain}
     * @param bytes the size
     * @param file the path relative to the folder of the run file; null if unknown
     */
    record Attached(
            TestId test,
            String name,
            String mediaType,
            long bytes,
            @Nullable String file) implements RunEvent, OfTest {}

    /**
     * The release of cores.
     *
     * @param test the holder of the cores
     * @param cores the cores as in the lease
     * @param held the time since the lease
     */
    record Released(TestId test, List<String> cores, Duration held) implements RunEvent, OnCores {

        /** Creates the event with a copy of the list. */
        public Released {
            cores = List.copyOf(cores);
        }
    }

    /**
     * The interruption of a test by JUnit at the end of its time. It is written before the interruption.
     *
     * @param test the test
     * @param phase the phase of the test
     * @param thread the name of the interrupted thread
     */
    record Interrupted(TestId test, Phase phase, String thread) implements RunEvent, OfTest {}

    /**
     * The start of a quarantine of cores. They are not released until they are known to be healthy.
     *
     * @param test the holder of the cores, possibly in another JVM
     * @param cores the names of the cores
     * @param reason a phrase
     * @param pid the JVM that reports the quarantine
     * @param suspect true if nothing is proved; the cores then return without a reset unless a fault is found
     */
    record Quarantined(String test, List<String> cores, String reason, long pid, boolean suspect) implements RunEvent {

        /** Creates the event with a copy of the list. */
        public Quarantined {
            cores = List.copyOf(cores);
        }
    }

    /**
     * The end of a quarantine.
     *
     * @param core the name of the core
     * @param reason the reason of the quarantine; a core can have several quarantines
     * @param how the evidence that the core is healthy
     */
    record QuarantineEnded(String core, String reason, String how) implements RunEvent {}

    /**
     * The death of another JVM that held cores.
     *
     * @param pid its process id
     * @param test its running test
     * @param cores the cores that it held
     * @param phase the phase of the test, if its run file is in the folder of this one; otherwise null
     * @param survivors the ids of processes that it started and that still run
     */
    record HolderDied(
            long pid,
            String test,
            List<String> cores,
            @Nullable Phase phase,
            List<String> survivors) implements RunEvent {

        /** Creates the event with copies of the lists. */
        public HolderDied {
            cores = List.copyOf(cores);
            survivors = List.copyOf(survivors);
        }
    }

    /**
     * The failure of a test with a cause that allows another attempt on another core.
     *
     * @param test the test
     * @param cores the cores of the failed attempt
     * @param cause the fault of the hardware
     */
    record Retried(TestId test, List<String> cores, String cause) implements RunEvent, OnCores {

        /** Creates the event with a copy of the list. */
        public Retried {
            cores = List.copyOf(cores);
        }
    }

    /**
     * The start of an attempt of a test that its extension repeats, such as {@code @RetryingTest} of JUnit Pioneer. Each attempt is an
     * invocation with its own end; the last end is that of the test.
     *
     * @param test the attempt
     * @param whole the test, which has the same id for all attempts
     */
    record AttemptStarted(TestId test, TestId whole) implements RunEvent, OfTest {}

    /**
     * The end of a child process of a test.
     *
     * @param test the test
     * @param command the program with its arguments, with masked secrets
     * @param pid its process id
     * @param how the way in which it ended
     */
    record WorkloadEnded(TestId test, String command, long pid, String how) implements RunEvent, OfTest {}

    /**
     * The end of a test that uses Neuron.
     *
     * @param test the test
     * @param outcome the outcome
     * @param cores the cores of the test and of its class; empty if it did not run
     * @param reason the reason why it failed, was skipped or is undecided, with masked secrets; null if it passed
     */
    record TestFinished(
            TestId test,
            Outcome outcome,
            List<String> cores,
            @Nullable String reason) implements RunEvent, OnCores {

        /** Creates the event with a copy of the list and with masked secrets in the reason. */
        public TestFinished {
            cores = List.copyOf(cores);
            reason = reason == null ? null : Redaction.mask(reason);
        }
    }

    /**
     * The end of the JVM; always the last line, unless the JVM was killed.
     *
     * @param passed the number of passed tests
     * @param failed the number of failed tests
     * @param undecided the number of undecided tests
     * @param aborted the number of aborted tests
     * @param skipped the number of skipped tests
     */
    record RunFinished(long passed, long failed, long undecided, long aborted, long skipped) implements RunEvent {}

    /**
     * An event that this version does not know, that lacks a required member, or that has an unknown member. Never written.
     *
     * @param type the name in the file
     */
    record Unknown(String type) implements RunEvent {}
}
