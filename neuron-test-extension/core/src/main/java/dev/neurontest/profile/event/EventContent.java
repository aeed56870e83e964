package dev.neurontest.profile.event;

import dev.neurontest.profile.event.EventQuery.Field;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What was found in a profile.
 *
 * @param absent what a field lacks that nothing can be known of, in words
 * @param complete the fields whose names are all kept apart
 * @param keptLongest how many of the longest instructions were kept if there were so many
 */
record EventContent(
        Path file,
        EventSummary instructions,
        Map<String, EventSummary> byEngine,
        Map<String, EventSummary> byOpcode,
        Map<String, EventSummary> byLayer,
        Map<String, EventSummary> byLine,
        Map<Field, String> absent,
        Set<Field> complete,
        EventSummary dma,
        Map<String, EventSummary> dmaByQueue,
        List<InstructionEvent> longest,
        int keptLongest,
        Map<String, EventQuery> queries,
        Map<String, EventSummary> found,
        Map<String, Double> summaryNumbers,
        List<String> warnings,
        List<String> notices) {}
