package dev.neurontest.internal.evidence;

import dev.neurontest.internal.json.JsonObject;
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
 * Something that happened in a run. In the run file an event is the JSON object of its components: its name is the
 * record's with a small first letter, a duration's name ends in {@code Nanos}, what is null is left out. {@link LineWriter} says what
 * else a line leaves out.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public sealed interface RunEvent {

    /** What is known to happen to a test. */
    interface OfTest {

        /**
         * Which.
         *
         * @return null for a notice about the run
         */
        @Nullable
        TestId test();
    }

    /** What a test does on cores. */
    interface OnCores extends OfTest {

        /**
         * Which.
         *
         * @return by name
         */
        List<String> cores();
    }

    /**
     * A JVM is about to use Neuron; always the first line.
     *
     * @param version of the run file's shape; rises with each change of it, because a reader refuses what it does not know
     * @param pid the process id of the JVM
     * @param java its version
     * @param os the operating system: name, version, architecture
     * @param module the version of this extension
     * @param directory the name of the working directory, without its path
     * @param machine the name of the machine, which tells hosts apart that are all called {@code /}; empty where it has none
     * @param tool what started it; null where that is not known
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
     * The JVM is part of a run, which may have others. A JVM without this line belongs to any run.
     *
     * @param run an id, such as {@code GitHub run 4711}
     * @param chosen whether the settings or a CI server name it; else it is the process that started the JVM, which is another one for each
     *     host
     */
    record PartOfRun(String run, boolean chosen) implements RunEvent {}

    /**
     * The JVM runs one shard of a suite. Said again when one of the last two members has another value.
     *
     * @param shard which, from 1
     * @param count how many there are
     * @param timings a hash of the timings file; empty without one
     * @param job what the engine calls this attempt at the shard, such as {@code Slurm job 4711}; null where it says nothing
     * @param restarts how often the engine has started the job again
     * @param code what names the code in one folder or jar of the tests that were discovered, before any was left out; empty where
     *     nothing was
     * @param timed whether the timings file has a class that was discovered here
     */
    record Sharded(
            int shard, int count, String timings, @Nullable String job, int restarts, String code, boolean timed)
            implements RunEvent {

        /**
         * Refuses a shard that cannot be.
         *
         * @param shard which, from 1
         * @param count how many there are
         * @param timings a hash of the timings file
         * @param job what the engine calls this attempt at the shard
         * @param restarts how often the engine has started the job again
         * @param code what names the code
         * @param timed whether the timings file has a class that was discovered here
         */
        public Sharded {
            if (shard < 1 || shard > count) {
                throw new IllegalArgumentException(
                        "is shard %s of %s, expected 1 to %s".formatted(shard, count, count));
            }
        }
    }

    /**
     * The plan of an execution of JUnit's launcher holds a Neuron test. All such lines of a plan come before its first test begins. A
     * template, a test factory or a class template is one planned test, because its invocations are unknown.
     *
     * @param test that is planned
     */
    record Planned(TestId test) implements RunEvent, OfTest {}

    /**
     * A planned template has run all its invocations, which have ends of their own.
     *
     * @param test the template
     */
    record TemplateFinished(TestId test) implements RunEvent, OfTest {}

    /** JUnit's launcher returned from the execution of a plan. A planned test without an end was left out on request. */
    record PlanFinished() implements RunEvent {}

    /**
     * JUnit's launcher threw an exception during the execution of a plan, as it does after an {@code OutOfMemoryError}. A planned test
     * without an end is lost.
     *
     * @param running names of the tests that had begun and have no end, also of those that do not use Neuron
     */
    record PlanGivenUp(List<String> running) implements RunEvent {

        /**
         * Keeps its own copy.
         *
         * @param running names of the tests that had begun and have no end
         */
        public PlanGivenUp {
            running = List.copyOf(running);
        }
    }

    /**
     * The host of the run is known.
     *
     * @param kind what tests are labelled with: {@code real}, {@code fake} or {@code root}
     * @param host what messages call it
     * @param choice what was asked for
     * @param origin where that was said
     * @param instanceType such as {@code trn1.2xlarge}; null where the host does not say
     * @param layout the fake's layout; null elsewhere
     * @param driverVersion null where the host does not say
     * @param devices how many there are
     * @param cores how many logical NeuronCores there are
     * @param lnc how many physical cores a logical one is
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
         * What tests are labelled with in reports, so that a green fake is never taken for hardware.
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
         * Returns what reports call the host.
         *
         * @return such as {@code trn2.48xlarge (real), driver 2.30.51.0, 16 devices with 64 cores, LNC 2}
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
     * A test wants cores and is about to wait for them.
     *
     * @param test who
     * @param request in the user's words, such as {@code 2 cores in a row}
     */
    record Requested(TestId test, String request) implements RunEvent, OfTest {}

    /**
     * A test got its cores.
     *
     * @param test who
     * @param cores such as {@code neuron0/neuron_core1}, or {@code core 5 (neuron1/neuron_core2, neuron1/neuron_core3)} where
     *     the logical number cannot be told from the physical ones; what is before the slash is the device
     * @param waited since they were requested
     */
    record Leased(TestId test, List<String> cores, Duration waited) implements RunEvent, OnCores {

        /**
         * Keeps its own copy.
         *
         * @param test who
         * @param cores such as {@code neuron0/neuron_core1}; what is before the slash is the device
         * @param waited since they were requested
         */
        public Leased {
            cores = List.copyOf(cores);
        }
    }

    /**
     * A test did not get its cores in time.
     *
     * @param test who
     * @param waited since they were requested
     */
    record WaitedInVain(TestId test, Duration waited) implements RunEvent, OfTest {}

    /**
     * A phase is about to begin.
     *
     * @param test whose
     * @param phase which
     */
    record PhaseStarted(TestId test, Phase phase) implements RunEvent, OfTest {}

    /**
     * A recorder stopped.
     *
     * @param test whose
     * @param kind of the recording, such as {@code counters}
     * @param recording what was seen; without members when that is nothing
     */
    record Recorded(TestId test, String kind, JsonObject recording) implements RunEvent, OfTest {}

    /**
     * A demand was not met.
     *
     * @param test whose
     * @param violation which, and what was there instead
     */
    record Violated(TestId test, Violation violation) implements RunEvent, OfTest {}

    /**
     * A demand could not be judged.
     *
     * @param test whose
     * @param undecided which, and why
     */
    record LeftUndecided(TestId test, Undecided undecided) implements RunEvent, OfTest {}

    /**
     * Something that a reader should know although nothing is wrong.
     *
     * @param test whose; null when it is about the run
     * @param notice a sentence
     */
    record Noticed(@Nullable TestId test, String notice) implements RunEvent, OfTest {}

    /**
     * The host was a recording that was made around a test, and the JVM is done with it.
     *
     * @param test that was recorded; its id is empty where the recording does not have it
     * @param ran whether it ran here
     */
    record Replayed(TestId test, boolean ran) implements RunEvent, OfTest {

        /**
         * What it means that it did not run.
         *
         * @return a sentence
         */
        public String missing() {
            return "The recording is of \"%s\", which did not run: nothing of what happened then has happened."
                    .formatted(test.name());
        }
    }

    /**
     * A metric of a test was held against its baseline.
     *
     * @param test whose
     * @param comparison with its outcome, as the room of baselines writes it
     */
    record Compared(TestId test, JsonObject comparison) implements RunEvent, OfTest {}

    /**
     * The error counters of the whole host were read.
     *
     * @param moment of what this JVM does on the host
     * @param counters a number for each by place and name, such as {@code neuron3 hardware/mem_ecc_uncorrected}; empty
     *     for one that cannot be read
     * @param identities what tells the directories of the module and of the devices from others that take their places, by path
     * @param unhealthy the components that devices report as broken, by device; empty for one that is well
     * @param kernelLog the lines of the kernel log with the serial number of a device, since the boot, by device and time such as
     *     {@code neuron3 kernel log [65.345678]}; empty for a line that failed a test of this JVM
     */
    record HostErrors(
            Moment moment,
            Map<String, Optional<BigInteger>> counters,
            Map<String, String> identities,
            Map<String, String> unhealthy,
            Map<String, String> kernelLog)
            implements RunEvent {}

    /** The start or the end of what a JVM does on the host. */
    enum Moment {
        START,
        END
    }

    /**
     * The version of something that ran on the host is known.
     *
     * @param name such as {@code profiler} or {@code runtime}
     * @param version as it says itself
     */
    record VersionKnown(String name, String version) implements RunEvent {}

    /**
     * Something was attached to a test.
     *
     * @param test whose
     * @param name the file name
     * @param mediaType such as {@code text/plain}
     * @param bytes its size
     * @param file where it lies, relative to the folder of the run file; null where that is not known
     */
    record Attached(
            TestId test,
            String name,
            String mediaType,
            long bytes,
            @Nullable String file) implements RunEvent, OfTest {}

    /**
     * Cores went back.
     *
     * @param test who had them
     * @param cores as they were leased
     * @param held since they were leased
     */
    record Released(TestId test, List<String> cores, Duration held) implements RunEvent, OnCores {

        /**
         * Keeps its own copy.
         *
         * @param test who had them
         * @param cores as they were leased
         * @param held since they were leased
         */
        public Released {
            cores = List.copyOf(cores);
        }
    }

    /**
     * JUnit is about to interrupt a test whose time is over.
     *
     * @param test which
     * @param phase in which it was
     * @param thread the name of the thread that is interrupted
     */
    record Interrupted(TestId test, Phase phase, String thread) implements RunEvent, OfTest {}

    /**
     * Cores do not go back to the others until they are known to be well.
     *
     * @param test who had them, which may be one of another JVM
     * @param cores by name
     * @param reason a phrase
     * @param pid the JVM that says so
     * @param suspect whether nothing is proved, and the cores come back without a reset when that stays so
     */
    record Quarantined(String test, List<String> cores, String reason, long pid, boolean suspect) implements RunEvent {

        /**
         * Keeps its own copy.
         *
         * @param test who had them, which may be one of another JVM
         * @param cores by name
         * @param reason a phrase
         * @param pid the JVM that says so
         * @param suspect whether nothing is proved
         */
        public Quarantined {
            cores = List.copyOf(cores);
        }
    }

    /**
     * A quarantine is over.
     *
     * @param core by name
     * @param reason that it was in for; a core may be in for several
     * @param how it was found to be well
     */
    record QuarantineEnded(String core, String reason, String how) implements RunEvent {}

    /**
     * Another JVM died while it held cores.
     *
     * @param pid its process id
     * @param test what it was running
     * @param cores that it held
     * @param phase in which the test was, when its run file lies beside this one; else null
     * @param survivors process ids of what it had started and what is still alive
     */
    record HolderDied(
            long pid,
            String test,
            List<String> cores,
            @Nullable Phase phase,
            List<String> survivors) implements RunEvent {

        /**
         * Keeps its own copies.
         *
         * @param pid its process id
         * @param test what it was running
         * @param cores that it held
         * @param phase in which the test was, when its run file lies beside this one; else null
         * @param survivors process ids of what it had started and what is still alive
         */
        public HolderDied {
            cores = List.copyOf(cores);
            survivors = List.copyOf(survivors);
        }
    }

    /**
     * A test failed for a cause that allows another attempt, on another core.
     *
     * @param test which
     * @param cores that it had
     * @param cause what was wrong with the hardware
     */
    record Retried(TestId test, List<String> cores, String cause) implements RunEvent, OnCores {

        /**
         * Keeps its own copy.
         *
         * @param test which
         * @param cores that it had
         * @param cause what was wrong with the hardware
         */
        public Retried {
            cores = List.copyOf(cores);
        }
    }

    /**
     * A child process of a test is over.
     *
     * @param test whose
     * @param command the program with its arguments, secrets masked
     * @param pid its process id
     * @param how it ended
     */
    record WorkloadEnded(TestId test, String command, long pid, String how) implements RunEvent, OfTest {}

    /**
     * A test that asked for Neuron is over.
     *
     * @param test which
     * @param outcome how it ended
     * @param cores it used, its own and those of its class; empty when it did not run
     * @param reason why it failed, was skipped or left undecided, secrets masked; null when it passed
     */
    record TestFinished(
            TestId test,
            Outcome outcome,
            List<String> cores,
            @Nullable String reason) implements RunEvent, OnCores {

        /**
         * Keeps its own copy, and no secret that the test failed with.
         *
         * @param test which
         * @param outcome how it ended
         * @param cores it used, its own and those of its class; empty when it did not run
         * @param reason why it failed, was skipped or left undecided; null when it passed
         */
        public TestFinished {
            cores = List.copyOf(cores);
            reason = reason == null ? null : Redaction.mask(reason);
        }
    }

    /**
     * The JVM is done; always the last line, unless it was killed.
     *
     * @param passed how many tests did
     * @param failed how many did
     * @param undecided how many were left so
     * @param aborted how many were
     * @param skipped how many were
     */
    record RunFinished(long passed, long failed, long undecided, long aborted, long skipped) implements RunEvent {}

    /**
     * An event that this version does not know, that lacks something that it needs, or has more than is known; never written.
     *
     * @param type its name in the file
     */
    record Unknown(String type) implements RunEvent {}
}
