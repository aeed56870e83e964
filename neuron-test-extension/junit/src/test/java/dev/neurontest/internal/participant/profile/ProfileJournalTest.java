package dev.neurontest.internal.participant.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.participant.TestJournal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileJournalTest {

    @Test
    void announcesSlowToolWithNameOfTest(@TempDir Path folder) {
        // given
        List<String> said = new ArrayList<>();
        RunFile runFile = new RunFile(folder, said::add);
        ProfileJournal journal = new ProfileJournal(
                new TestJournal(runFile, new TestId("[method:infers]", "BertTest > infers()")), null, null, null);

        // when
        journal.takesLong("the capture of a.neff has taken 5 s so far.");

        // then
        assertThat(said)
                .containsExactly("Neuron Test: BertTest > infers(): the capture of a.neff has taken 5 s so far.");
    }
}
