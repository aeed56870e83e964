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
 * A page or a part of one: a Mustache file beside the class that fills it. Values are escaped; a name that the model does not have is an
 * error; empty texts, zero and absent values are false. A page is {@code {{<frame}}}, which brings the style, the script that lies beside
 * the template under its name, and a policy that allows nothing else.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PageTemplate {

    private static final String MARKS = "&<>\"'`=";

    private static final Pattern LONG_NUMBER = Pattern.compile("\\d{10,}");

    private static final Pattern THOUSANDS = Pattern.compile("(?<=\\d)(?=(\\d{3})+$)");

    /** The places at which paths, packages and calls may break; a name in quotes stays whole where there is room. */
    private static final Pattern PARTS =
            Pattern.compile("(?<=[/_])(?![\\w/.-]{0,60}&quot;)|(?<=\\S\\()(?!\\))|(?<=\\.)(?=[A-Za-z])");

    /** Wider than a phone, such as the name of a class. */
    private static final Pattern LONG_WORD = Pattern.compile("[A-Za-z0-9]{24,}");

    private static final Pattern HUMPS = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

    /** A browser would break it between its hyphens. */
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
     * @param place the class that it lies beside, as do the templates that it includes, if not here
     * @param name of its file, without {@code .mustache}
     * @return the template
     */
    public static PageTemplate of(Class<?> place, String name) {
        Template template = COMPILER.withLoader(part -> new StringReader(source(place, part)))
                .compile(source(place, name));
        return new PageTemplate(template, resource(place, name + ".js").orElse(""));
    }

    /**
     * Reads a template of text that is no markup. Its lines stay as they are.
     *
     * @param place the class that it lies beside, as do the templates that it includes
     * @param name of its file, without {@code .mustache}
     * @param escaper of the values
     * @return the template
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
                .orElseThrow(() -> new IllegalArgumentException("no " + file + " beside " + place))
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
     * What a policy has to allow so that a page shows its style when another page contains it. It may be of another version.
     *
     * @param page that a template has made
     * @return digests of its styles
     */
    public static List<String> styleDigests(String page) {
        return STYLES.matcher(page)
                .results()
                .map(style -> digest(style.group(1)))
                .toList();
    }

    /** Only this script and this style may run: a name that slips through as markup stays dead. */
    private static String digest(String content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Coordinates are the same whatever the language of the machine. */
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

    /** Most values of a large page need nothing, and are told from others quickly. */
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

    /** An instant as the time of its day. */
    private static String time(String instant) {
        int time = instant.indexOf('T') + 1;
        return "<time datetime=\"" + instant + "\">" + instant.substring(time, time + 8) + "</time>";
    }

    /** A name or number that may go on in the next line between its parts. */
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

    /** A command that goes on in the next line between its words, and not behind a hyphen of them. */
    private static String unbroken(String text) {
        return WORDS.matcher(text).replaceAll("<span>$0</span>");
    }

    /**
     * Fills the template.
     *
     * @param model has the names of the template as methods without parameters
     * @return markup
     */
    public String fill(Object model) {
        StringWriter markup = new StringWriter();
        template.execute(model, frame, markup);
        return markup.toString();
    }

    /** An optional value is a list of one or none; what the JDK has made is shown, and not looked into. */
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
