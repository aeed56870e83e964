package dev.neurontest.internal.page;

import com.samskivert.mustache.DefaultCollector;
import com.samskivert.mustache.Escapers;
import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import dev.neurontest.internal.text.DurationText;
import dev.neurontest.internal.text.VisibleText;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A template of a page or of a part of one: a Mustache file next to the class that fills it. Values are escaped. A name without a method in
 * the model is an error. Empty texts, zero and absent values are false. A page begins with {@code {{<frame}}}. The frame adds the style,
 * the script with the template's name, and a policy that allows only these.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PageTemplate {

    private static final String MARKS = "&<>\"'`=";

    private static final Pattern LONG_NUMBER = Pattern.compile("\\d{10,}");

    private static final Pattern THOUSANDS = Pattern.compile("(?<=\\d)(?=(\\d{3})+$)");

    /** Places for line breaks in paths, packages and calls; a quoted name is not broken where there is space. */
    private static final Pattern PARTS =
            Pattern.compile("(?<=[/_])(?![\\w/.-]{0,60}&quot;)|(?<=\\S\\()(?!\\))|(?<=\\.)(?=[A-Za-z])");

    /** Words wider than a phone, such as the name of a class. */
    private static final Pattern LONG_WORD = Pattern.compile("[A-Za-z0-9]{24,}");

    private static final Pattern HUMPS = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

    /** Options of a command, which a browser would break at their hyphens. */
    private static final Pattern OPTION = Pattern.compile("(?<!\\S)--[a-z][a-z-]*");

    private static final Pattern WORDS = Pattern.compile("\\S+");

    private static final Pattern STYLES = Pattern.compile("<style>(.*?)</style>", Pattern.DOTALL);

    private static final String STYLE = resource(PageTemplate.class, "page.css").orElseThrow();

    private static final Mustache.Compiler COMPILER = Mustache.compiler()
            .strictSections(true)
            .emptyStringIsFalse(true)
            .zeroIsFalse(true)
            .withCollector(new Members())
            .withFormatter(PageTemplate::text)
            .withEscaper(PageTemplate::escaped);

    private final Template template;
    private final Map<String, Object> frame;

    private PageTemplate(Template template, String script) {
        this.template = template;
        this.frame = Map.of(
                "style",
                STYLE,
                "styleDigest",
                digest(STYLE),
                "script",
                script,
                "scriptDigest",
                script.isEmpty() ? "" : digest(script),
                "time",
                (Mustache.Lambda) (instant, out) -> out.write(time(instant.execute())),
                "breakable",
                (Mustache.Lambda) (name, out) -> out.write(breakable(name.execute())),
                "unbroken",
                (Mustache.Lambda) (command, out) -> out.write(unbroken(command.execute())));
    }

    /**
     * Reads a template.
     *
     * @param place class next to the template and its included templates; included templates may also be next to this class
     * @param name name of the file without {@code .mustache}
     */
    public static PageTemplate of(Class<?> place, String name) {
        Template template = COMPILER.withLoader(part -> new StringReader(source(place, part)))
                .compile(source(place, name));
        return new PageTemplate(template, resource(place, name + ".js").orElse(""));
    }

    /**
     * Reads a template of plain text. Its lines remain unchanged.
     *
     * @param place class next to the template and its included templates
     * @param name name of the file without {@code .mustache}
     * @param escaper escapes the values
     */
    public static PageTemplate ofText(Class<?> place, String name, UnaryOperator<String> escaper) {
        UnaryOperator<String> source =
                part -> resource(place, part + ".mustache").orElseThrow();
        return new PageTemplate(
                COMPILER.withEscaper(escaper::apply)
                        .withLoader(part -> new StringReader(source.apply(part)))
                        .compile(source.apply(name)),
                "");
    }

    private static String source(Class<?> place, String name) {
        String file = name + ".mustache";
        return resource(place, file)
                .or(() -> resource(PageTemplate.class, file))
                .orElseThrow(() -> new IllegalArgumentException("no " + file + " next to " + place))
                .strip();
    }

    private static Optional<String> resource(Class<?> place, String name) {
        try (@Nullable InputStream resource = place.getResourceAsStream(name)) {
            return resource == null
                    ? Optional.empty()
                    : Optional.of(new String(resource.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * Returns the digests of the styles of a page. The policy of a page that contains it must allow these. The contained page may be of
     * another version.
     *
     * @param page a page made by a template
     */
    public static List<String> styleDigests(String page) {
        return STYLES.matcher(page)
                .results()
                .map(style -> digest(style.group(1)))
                .toList();
    }

    /** Returns the digest for the policy. Only this script and this style may run; a name that was inserted as markup has no effect. */
    private static String digest(String content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Formats a value. Coordinates do not depend on the language of the machine. */
    private static String text(Object value) {
        if (value instanceof Double number) {
            return String.format(Locale.ROOT, "%.2f", number);
        }
        if (value instanceof Duration duration) {
            return DurationText.of(duration);
        }
        if (value instanceof Optional<?> optional) {
            return optional.map(PageTemplate::text).orElse("");
        }
        return value instanceof Enum<?> constant ? constant.name().toLowerCase(Locale.ROOT) : value.toString();
    }

    /** Escapes a value. Most values of a large page need no change, and a quick scan finds these. */
    private static String escaped(String text) {
        boolean odd = false;
        boolean marked = false;
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            odd |= each < ' ' || each > '~';
            marked |= MARKS.indexOf(each) >= 0;
        }
        String shown = odd ? VisibleText.of(text) : text;
        return marked ? Escapers.HTML.escape(shown) : shown;
    }

    /** Returns an instant as time of day. */
    private static String time(String instant) {
        int time = instant.indexOf('T') + 1;
        return "<time datetime=\"" + instant + "\">" + instant.substring(time, time + 8) + "</time>";
    }

    /** Returns a name or number with allowed line breaks between its parts. */
    private static String breakable(String text) {
        if (LONG_NUMBER.matcher(text).matches()) {
            return THOUSANDS.matcher(text).replaceAll("<wbr/>");
        }
        String parts = PARTS.matcher(text).replaceAll("<wbr/>");
        String words = LONG_WORD
                .matcher(parts)
                .replaceAll(word -> HUMPS.matcher(word.group()).replaceAll("<wbr/>"));
        return OPTION.matcher(words).replaceAll("<span class=\"option\">$0</span>");
    }

    /** Returns a command with line breaks allowed between its words, and not after a hyphen in a word. */
    private static String unbroken(String text) {
        return WORDS.matcher(text).replaceAll("<span>$0</span>");
    }

    /**
     * Fills the template.
     *
     * @param model an object with the names of the template as methods without parameters
     * @return markup
     */
    public String fill(Object model) {
        StringWriter markup = new StringWriter();
        template.execute(model, frame, markup);
        return markup.toString();
    }

    /**
     * Collector of values from the model. An optional value is a list of one or no element. Objects of the JDK are printed, and their
     * members are not accessible.
     */
    private static final class Members extends DefaultCollector {

        @Override
        public @Nullable Iterator<?> toIterator(Object value) {
            return value instanceof Optional<?> optional ? optional.stream().iterator() : super.toIterator(value);
        }

        @Override
        public Mustache.@Nullable VariableFetcher createFetcher(Object context, String name) {
            boolean opaque = !(context instanceof Map)
                    && Objects.equals(context.getClass().getClassLoader(), Object.class.getClassLoader());
            return opaque ? null : super.createFetcher(context, name);
        }
    }
}
