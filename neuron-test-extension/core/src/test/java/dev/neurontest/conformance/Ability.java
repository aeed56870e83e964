package dev.neurontest.conformance;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An ability that a view of a host may lack, with the reason for the cases that are skipped without it. */
enum Ability {
    SCRIPT("what happens to it can be scripted", "its state cannot be scripted: it is no fake of this JVM"),
    FILES("any program can read it", "there are no files: it is read by method call"),
    READ_YOUR_WRITE(
            "a write takes effect before the next read",
            "a write takes effect only after the next read: the fake is told of it by the file system"),
    KEPT_OPEN(
            "a descriptor that is kept open stays fresh",
            "a descriptor that is kept open stays with the file that a newer one has replaced"),
    POLL("`poll`, `select` and `epoll` wake at an event", "a poller of an ordinary file is not woken"),
    SIZE_OF_A_PAGE("every file has the size 4096", "a file of an ordinary file system is as long as its content"),
    REFUSED_WRITES(
            "`EACCES` where there is no write bit, for root too",
            "an ordinary file system lets root write what has no write bit"),
    REFUSED_CREATES("`EACCES` for creating a file", "in an ordinary file system files can be created"),
    PAGE_WRITES("a write is cut after 4096 bytes", "an ordinary file takes as much as is written"),
    REFUSED_MAPS("`ENODEV` for mapping a file", "an ordinary file can be mapped"),
    POWER("its power can be scripted and goes with the clock", "its power is what was recorded"),
    CLOCK("what only the clock moves is current at every read", "what only the clock moves is looked at once a second"),
    ERRORS("a fault can be an error number", "an ordinary file cannot fail with an error number of choice"),
    DELAYS("a fault can be a delay", "an ordinary file cannot be slow"),
    COUNTED_READS("a fault can begin after some reads", "the fake is not told that an ordinary file is read"),
    // These belong to the run of the suite and not to a view.
    WRITE("nothing is written to it: it is no fake of this JVM, and -Dconformance.write=true is not given"),
    KNOWN_TYPE("the facts do not have its instance type"),
    KNOWN_LAYOUT("the facts do not have the files of its driver"),
    CLOSED_FILES("it is not read by root, and only root sees every file of its driver");

    private final @Nullable String title;
    private final String lack;

    Ability(String lack) {
        this(null, lack);
    }

    Ability(@Nullable String title, String lack) {
        this.title = title;
        this.lack = lack;
    }

    /** Returns the description for views that have the ability, or empty if it does not belong to views. */
    Optional<String> title() {
        return Optional.ofNullable(title);
    }

    /** Returns the reason for which a case is skipped without the ability. */
    String lack() {
        return lack;
    }
}
