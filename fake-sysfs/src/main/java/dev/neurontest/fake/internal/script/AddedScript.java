package dev.neurontest.fake.internal.script;

import org.apiguardian.api.API;

/**
 * A script that can still change something.
 *
 * @param script the script itself; it is the same object in every list
 * @param author the thread that added it
 * @param text the script as a command of the host
 * @param used true if it has changed something already
 * @param end ends the script
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record AddedScript(Object script, Thread author, String text, boolean used, Runnable end) {}
