package dev.neurontest.internal.output;

import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.tensor.ValueSummary;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The record of one output: a summary without its values, and its judgement.
 *
 * @param origin the execution and the output
 * @param dtype data type as it was read
 * @param shape row-major
 * @param size number of values
 * @param values summary of the values
 * @param unwritten number of elements that still hold the fill pattern
 * @param whyNotFilled reason why it is unknown whether the output was written; empty if it is known
 * @param hash SHA-256 of the bytes
 * @param golden SHA-256 of the golden with which it was compared; empty if it was not
 * @param found the faults in words; empty for a sound output
 * @param judgement what the expectation says; a notice without one
 * @param comparison the first values that differ from the golden, as text; empty without
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record OutputRecord(
        OutputOrigin origin,
        String dtype,
        List<Long> shape,
        long size,
        ValueSummary values,
        long unwritten,
        String whyNotFilled,
        String hash,
        String golden,
        String found,
        Judgement judgement,
        String comparison) {}
