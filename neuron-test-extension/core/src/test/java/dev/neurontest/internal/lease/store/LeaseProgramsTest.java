package dev.neurontest.internal.lease.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.internal.process.ProgramLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeaseProgramsTest {

    private static final String LOCK = "jvm-1-a-1/lease-1";
    private static final ProcessIdentity ALIVE = new ProcessIdentity(55, 700, "boot pid:[1]", "me");
    private static final ProcessIdentity ENDED = new ProcessIdentity(56, 700, "boot pid:[1]", "me");
    private static final ProcessIdentity UNSEEN = new ProcessIdentity(57, 700, "boot pid:[2]", "me");
    private static final ProcessIdentity OF_ANOTHER_BOOT = new ProcessIdentity(55, 700, "earlier pid:[1]", "me");

    private final List<String> tested = new ArrayList<>();
    private ProgramLock.State state = ProgramLock.State.UNKNOWN;
    private final LeasePrograms programs = new LeasePrograms(
            new ProcessTable(
                    path -> {
                        if (path.equals("55/stat")
                                || path.equals(ProcessHandle.current().pid() + "/stat")) {
                            return (path.split("/")[0] + " (sleep) S 1" + " 0".repeat(17) + " 700")
                                    .getBytes(StandardCharsets.UTF_8);
                        }
                        throw new NoSuchFileException(path);
                    },
                    "me",
                    "boot pid:[1]"),
            lock -> {
                tested.add(lock);
                return state;
            });

    private LeasePrograms.Remaining left(ProcessIdentity... recorded) {
        return programs.remaining(List.of(recorded), LOCK);
    }

    @Test
    void programsCountAsRunningWhileLockIsHeld() {
        // given
        state = ProgramLock.State.HELD;

        // then
        assertThat(left(ENDED).isNothing()).isFalse();
        assertThat(left().isNothing()).isFalse();
        assertThat(left(UNSEEN, ENDED).processes()).containsExactly(UNSEEN);
    }

    @Test
    void unseenProgramsCountAsEndedWhenLockIsFree() {
        // given
        state = ProgramLock.State.FREE;

        // then
        assertThat(left(UNSEEN, ENDED).isNothing()).isTrue();
        assertThat(left(UNSEEN, ALIVE).processes()).containsExactly(ALIVE);
    }

    @Test
    void processIdsDecideWithoutLock() {
        // then
        assertThat(left(UNSEEN, ENDED).processes()).containsExactly(UNSEEN);
        assertThat(left(ENDED).isNothing()).isTrue();
        assertThat(programs.remaining(List.of(UNSEEN), "").isNothing()).isFalse();
    }

    @Test
    void programsOfEarlierBootCountAsEnded() {
        // then
        assertThat(left(OF_ANOTHER_BOOT).isNothing()).isTrue();

        // given
        state = ProgramLock.State.FREE;

        // then
        assertThat(left(OF_ANOTHER_BOOT).isNothing()).isTrue();
    }

    @Test
    void heldLockKeepsProgramsOfOtherBootIdRunning() {
        // given
        state = ProgramLock.State.HELD;

        // then
        assertThat(left(OF_ANOTHER_BOOT).isNothing()).isFalse();
    }

    @Test
    void cachesLockTestForShortTime() {
        // given
        state = ProgramLock.State.HELD;

        // when
        left(UNSEEN);
        left(UNSEEN);

        // then
        assertThat(tested).containsExactly(LOCK);
    }

    @Test
    void describesVisibleAndUnseenPrograms() {
        // then
        assertThat(programs.running(new LeasePrograms.Remaining(List.of(), ProgramLock.State.HELD)))
                .isEqualTo("a process that its program had started was alive");
        assertThat(programs.running(new LeasePrograms.Remaining(List.of(ALIVE, UNSEEN), ProgramLock.State.HELD)))
                .isEqualTo(
                        "its process %s was alive, its process %s, of another container or user, or a process that it had started, was alive",
                        ALIVE.pid(), UNSEEN.pid());
        assertThat(programs.running(new LeasePrograms.Remaining(List.of(UNSEEN), ProgramLock.State.UNKNOWN)))
                .isEqualTo("its process %s, of another container or user, was not visible from here", UNSEEN.pid());
    }

    @Test
    void freeLockDoesNotDecideForLiveProcess() {
        // then
        assertThat(new LeasePrograms.Remaining(List.of(ALIVE), ProgramLock.State.FREE).decidingLock(LOCK))
                .isEmpty();
        assertThat(new LeasePrograms.Remaining(List.of(ALIVE), ProgramLock.State.HELD).decidingLock(LOCK))
                .isEqualTo(LOCK);
    }
}
