package dev.neurontest.internal.participant.print;

import dev.neurontest.internal.judgement.Attachment;
import dev.neurontest.internal.judgement.MeasuredTest;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.print.PrintAttachments;
import dev.neurontest.print.DevicePrints;
import java.util.List;

/** The prints of a test, as its evidence. */
record PrintMeasurement(MeasuredTest test, DevicePrints prints) implements Measurement {

    @Override
    public String kind() {
        return Measurement.PRINTS;
    }

    @Override
    public String toText() {
        return prints.toText();
    }

    @Override
    public String toJson() {
        return prints.toJson();
    }

    @Override
    public boolean isEmpty() {
        return prints.isEmpty();
    }

    /** Returns the picture and a {@code .npy} file for each print, up to a maximum number. */
    @Override
    public List<Attachment> attachments() {
        return PrintAttachments.of(prints).all(test);
    }
}
