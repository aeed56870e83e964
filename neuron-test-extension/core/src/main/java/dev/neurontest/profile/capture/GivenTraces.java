package dev.neurontest.profile.capture;

import dev.neurontest.neff.NeffHeader;
import dev.neurontest.process.OutputFolder;
import dev.neurontest.profile.CaptureKind;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ToolRun;
import dev.neurontest.profile.TracedExecution;
import dev.neurontest.profile.tool.ProfilerTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Makes a profile of traces that another program has made of one NEFF. */
final class GivenTraces {

    private final Profiler.Context context;
    private final Path neff;
    private final List<Path> ntffs;
    private final ProfilerTool tool;
    private final List<ToolRun> runs = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();
    private final TraceReader reader;

    GivenTraces(Profiler.Context context, Path neff, List<Path> ntffs) {
        this.context = context;
        this.neff = neff.toAbsolutePath();
        this.ntffs = ntffs.stream().map(Path::toAbsolutePath).toList();
        this.tool = context.tool().get();
        this.reader = new TraceReader(
                new Viewer(tool, context, context.deadline(), runs::add),
                context.throttledFrom(),
                false,
                context.exports(),
                notices::add);
    }

    Profile profile() {
        NeffHeader header = NeffHeader.read(neff);
        List<TracedExecution> executions = new ArrayList<>();
        List<Doubt> doubts = new ArrayList<>();
        Path folder = context.folder().get();
        try {
            folder = OutputFolder.fresh(folder, "profile-given");
            for (Path ntff : ntffs) {
                TraceFiles.Trace trace =
                        new TraceFiles.Trace(ntff, OptionalInt.empty(), ntffs.indexOf(ntff) + 1, Files.size(ntff));
                executions.addAll(reader.read(neff, Optional.of(header), trace, TraceOrigin.GIVEN, List.of(), folder));
            }
        } catch (IOException e) {
            doubts.add(notCaptured("A trace of %s cannot be read (%s).".formatted(neff, e)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            doubts.add(notCaptured("The test was interrupted before all traces of %s were viewed.".formatted(neff)));
        }
        return new Profile(
                header.name(),
                CaptureKind.INLINE,
                tool.toString(),
                executions,
                List.of(),
                doubts,
                notices,
                runs,
                folder);
    }

    private static Doubt notCaptured(String reason) {
        return new Doubt(Doubt.Kind.NOT_CAPTURED, reason);
    }
}
