package dev.neurontest.internal.json;

import java.io.InputStream;
import org.apiguardian.api.API;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * Factory of parsers for the output of profilers: gigabytes in UTF-8, with NaN among the numbers. Values that would not fit in memory are
 * refused.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LargeJson {

    /** Maximum length of a text. This is some thousand times the length in files of the tools, and small compared with a heap of 64 MB. */
    private static final int LONGEST_TEXT = 1 << 20;

    /** Maximum length of a name. The parser caches up to some ten thousand names. */
    private static final int LONGEST_NAME = 1_024;

    private static final int DEEPEST = 100;

    static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
            // The tools write UTF-8. Other content is a broken file, not another encoding.
            .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(LONGEST_TEXT)
                    .maxNameLength(LONGEST_NAME)
                    .maxNestingDepth(DEEPEST)
                    .build())
            .build();

    private LargeJson() {}

    /**
     * Creates a streaming parser.
     *
     * @param stream UTF-8; closed with the parser
     */
    public static JsonParser parser(InputStream stream) {
        return JSON.createParser(ObjectReadContext.empty(), stream);
    }
}
