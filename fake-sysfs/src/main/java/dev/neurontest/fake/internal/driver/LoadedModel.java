package dev.neurontest.fake.internal.driver;

import java.util.concurrent.atomic.AtomicInteger;
import org.apiguardian.api.API;

/**
 * A model that a process has loaded.
 *
 * @param name the name in the header of its NEFF
 * @param core its first physical core
 * @param bytes the size of its code on one physical core
 * @param running the number of executions in progress
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record LoadedModel(String name, Core core, long bytes, AtomicInteger running) {}
