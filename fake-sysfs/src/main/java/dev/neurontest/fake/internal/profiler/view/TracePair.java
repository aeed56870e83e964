package dev.neurontest.fake.internal.profiler.view;

import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.profiler.ntff.Ntff;
import java.nio.file.Path;

/** A trace with its model, and its default name. */
record TracePair(Neff neff, Path trace, Ntff ntff, String key) {}
