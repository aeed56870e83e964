package dev.neurontest.life.profile;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.process.ProgramLock;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.capture.ProfilerObserver;
import java.util.List;

/** Captures that are only made for one number each: who uses the cores matters, and the profiles are no evidence. */
record RunsOfABaseline(ProfilerObserver observer) implements ProfilerObserver {

    @Override
    public List<ProgramLock> locks(List<NeuronCore> used) {
        return observer.locks(used);
    }

    @Override
    public void started(ProcessHandle tool, List<NeuronCore> used) {
        observer.started(tool, used);
    }

    @Override
    public void ended(ProcessHandle tool, boolean killed, List<Long> survivors, List<String> stillOwned) {
        observer.ended(tool, killed, survivors, stillOwned);
    }

    @Override
    public void takesLong(String sentence) {
        observer.takesLong(sentence);
    }

    @Override
    public void made(Profile profile) {
        // Its numbers are in the comparison.
    }
}
