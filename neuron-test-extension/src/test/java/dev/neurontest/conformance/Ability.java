package dev.neurontest.conformance;

/** What a view of a host may lack, and what is said of a case that is skipped for it. */
enum Ability {
    SCRIPT("its state cannot be scripted: it is no fake of this JVM"),
    WRITE("nothing is written to it: it is no fake of this JVM, and -Dconformance.write=true is not given"),
    KNOWN_TYPE("the facts do not have its instance type"),
    KNOWN_LAYOUT("the facts do not have the files of its driver"),
    CLOSED_FILES("it is not read by root, who alone sees every file of its driver"),
    READ_YOUR_WRITE("a write takes effect only after the next read: the fake is told of it by the file system"),
    SIZE_OF_A_PAGE("a file of an ordinary file system is as long as its content"),
    REFUSED_WRITES("an ordinary file system lets root write what has no write bit"),
    ERRORS("an ordinary file cannot fail with an error number of choice"),
    DELAYS("an ordinary file cannot be slow"),
    COUNTED_READS("nobody tells the fake that an ordinary file is read"),
    KEPT_OPEN("a descriptor that is kept open stays with the file that a newer one has replaced"),
    CLOCK("what only the clock moves is looked at once a second");

    private final String lack;

    Ability(String lack) {
        this.lack = lack;
    }

    /** Why a case is skipped where it is missing. */
    String lack() {
        return lack;
    }
}
