package dev.neurontest.assertj;

import dev.neurontest.profile.system.SystemProfile;
import org.apiguardian.api.API;
import org.assertj.core.api.InstanceOfAssertFactory;

/** Assertions on what runtime and framework did. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class SystemProfileAssert extends AbstractNeuronAssert<SystemProfileAssert, SystemProfile> {

    /**
     * Starts assertions; {@link NeuronAssertions#assertThat(SystemProfile)} is the usual way.
     *
     * @param actual what was traced
     */
    public SystemProfileAssert(SystemProfile actual) {
        super(actual, SystemProfileAssert.class);
    }

    /**
     * The events of one name.
     *
     * <pre>{@code
     * assertThat(systemProfile).event("nrt_execute").p99().isAtMost("2 ms"); // succeeds
     * assertThat(systemProfile).event("nrt_exec").p99().isAtMost("2 ms");    // fails: there is none of that name
     * }</pre>
     *
     * @param name such as {@code nrt_execute} on the host, or {@code nc_exec_running} on the device
     * @return assertions on them
     */
    public SystemEventAssert event(String name) {
        isNotNull();
        return asInstanceOf(new InstanceOfAssertFactory<>(
                SystemProfile.class, profile -> new SystemEventAssert(new ObservedEvent(profile, name))));
    }
}
