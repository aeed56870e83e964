package dev.neurontest.internal.json;

import java.io.InputStream;
import org.apiguardian.api.API;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/** Reads what profilers write: gigabytes in UTF-8, with NaN for numbers. What would not fit in memory is refused. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LargeJson {

    /** Some thousand times what the tools write, and small beside a heap of 64 MB. */
    private static final int LONGEST_TEXT = 1 << 20;

    /** The parser remembers up to some ten thousand names. */
    private static final int LONGEST_NAME = 1_024;

    private static final int DEEPEST = 100;

    static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
            // The tools write UTF-8; anything else is a broken file and no other encoding.
            .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(LONGEST_TEXT)
                    .maxNameLength(LONGEST_NAME)
                    .maxNestingDepth(DEEPEST)
                    .build())
            .build();

    private LargeJson() {}

    /**
     * Reads piece by piece.
     *
     * @param stream in UTF-8; closed with the parser
     * @return the parser, before the first token
     */
    public static JsonParser parser(InputStream stream) {
        return JSON.createParser(ObjectReadContext.empty(), stream);
    }
}
