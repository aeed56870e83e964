package dev.neurontest.internal.status;

import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The place that a line of the runtime reports.
 *
 * @param device the number of the device
 * @param core the number of the physical core
 * @param logicalCore the number of the logical core
 * @param rank the rank, if the output of several processes is merged
 */
record LinePlace(OptionalInt device, OptionalInt core, OptionalInt logicalCore, OptionalInt rank) {

    private static final Pattern RANK = Pattern.compile(
            "^\\s*(?:(?i:\\[(?:rank|default)? ?(\\d{1,6})\\]):|(?i:\\[rank ?(\\d{1,6})\\]) |\\[\\d{1,6},(\\d{1,6})\\]<std(?:err|out)>:"
                    + "|(?i:rank ?(\\d{1,6})):|(\\d{1,6}): )");

    private static final List<Pattern> DEVICES = List.of(
            Pattern.compile("\\[(?:ND|MLA) (\\d{1,4})\\](?: ?\\[NC (\\d{1,4})\\])?"),
            Pattern.compile("Neuron Device (\\d{1,4})\\b(?: NC (\\d{1,4})\\b)?"),
            Pattern.compile("\\bmempool \\[(\\d{1,4})(?:,(\\d{1,4}))?:"),
            Pattern.compile("\\bND (\\d{1,4}):NC (\\d{1,4})\\b"),
            Pattern.compile("\\bnd(\\d{1,4})(?:[: ]nc(\\d{1,4}))?\\b"),
            Pattern.compile("\\bnd-id=(\\d{1,4})\\b(?:.*\\bnc-id=(\\d{1,4})\\b)?"));
    private static final Pattern CORE = Pattern.compile("\\bNC:? ?(\\d{1,4})\\b|\\bnc-id=(\\d{1,4})\\b");
    private static final Pattern LOGICAL = Pattern.compile(
            "\\[LNC (\\d{1,4})\\]|(?<!-)\\blnc=(\\d{1,4})|\\bstart_nc=(\\d{1,4})|NeuronCores (\\d{1,4})-");

    static LinePlace in(String line) {
        OptionalInt logical = number(LOGICAL.matcher(line));
        OptionalInt rank = number(RANK.matcher(line));
        for (Pattern pattern : DEVICES) {
            Matcher matcher = pattern.matcher(line);
            if (matcher.find()) {
                return new LinePlace(parsed(matcher.group(1)), parsed(matcher.group(2)), logical, rank);
            }
        }
        return new LinePlace(OptionalInt.empty(), number(CORE.matcher(line)), logical, rank);
    }

    private static OptionalInt number(Matcher matcher) {
        if (matcher.find()) {
            for (int group = 1; group <= matcher.groupCount(); group++) {
                if (matcher.group(group) != null) {
                    return parsed(matcher.group(group));
                }
            }
        }
        return OptionalInt.empty();
    }

    private static OptionalInt parsed(@Nullable String digits) {
        return digits == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(digits));
    }
}
