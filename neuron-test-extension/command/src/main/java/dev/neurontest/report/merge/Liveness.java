package dev.neurontest.report.merge;

import dev.neurontest.evidence.Machine;
import dev.neurontest.report.ReportedJvm;

/** Whether the JVM of an unfinished run file still runs. */
@FunctionalInterface
interface Liveness {

    /** Asks the operating system; a JVM of another machine is not known to run. A process that is younger than the file is another one. */
    Liveness OF_THIS_MACHINE = jvm -> jvm.start()
            .filter(start -> start.machine().equals(Machine.name().orElse("")))
            .flatMap(start -> ProcessHandle.of(start.pid()))
            .filter(ProcessHandle::isAlive)
            .filter(process -> process.info()
                    .startInstant()
                    .filter(jvm.started()::isBefore)
                    .isEmpty())
            .isPresent();

    boolean isRunning(ReportedJvm jvm);
}
