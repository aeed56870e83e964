package dev.neurontest.print;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code metadata.txt} beside a tensor says, in lines such as {@code dtype = int32}.
 *
 * @param dtype as it is written
 * @param shape empty for a scalar
 * @param size bytes of the tensor; -1 when it does not say
 */
record PrintMetadata(String dtype, List<Long> shape, long size) {

    private static final Pattern LINE = Pattern.compile("(?m)^\\s*(dtype|shape|data_size)\\s*[=:]\\s*(.*?)\\s*$");
    private static final Pattern SHAPE = Pattern.compile("[(\\[]\\s*((?:\\d{1,18}\\s*,?\\s*)*)[)\\]]");

    /** Empty when the dtype or the shape is missing or is not one. */
    static Optional<PrintMetadata> of(String text) {
        Optional<String> dtype = Optional.empty();
        Optional<List<Long>> shape = Optional.empty();
        long size = -1;
        Matcher line = LINE.matcher(text);
        while (line.find()) {
            String value = line.group(2);
            switch (line.group(1)) {
                case "dtype" -> dtype = Optional.of(value).filter(name -> !name.isEmpty());
                case "shape" -> shape = shape(value);
                default -> {
                    if (!value.matches("\\d{1,18}")) {
                        return Optional.empty();
                    }
                    size = Long.parseLong(value);
                }
            }
        }
        return dtype.isPresent() && shape.isPresent()
                ? Optional.of(new PrintMetadata(dtype.get(), shape.get(), size))
                : Optional.empty();
    }

    /** A tuple or list of lengths, as Python writes it. */
    static Optional<List<Long>> shape(String text) {
        Matcher tuple = SHAPE.matcher(text);
        if (!tuple.matches()) {
            return Optional.empty();
        }
        List<Long> shape = new ArrayList<>();
        for (String length : tuple.group(1).split("[\\s,]+")) {
            if (!length.isEmpty()) {
                shape.add(Long.parseLong(length));
            }
        }
        return Optional.of(List.copyOf(shape));
    }
}
