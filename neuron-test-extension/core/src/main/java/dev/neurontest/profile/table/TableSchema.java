package dev.neurontest.profile.table;

import dev.neurontest.text.VisibleText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * The tables that an installed tool writes, as it prints them: OpenAPI as YAML, a document for each table. What cannot be read of it is
 * left out.
 *
 * @param version such as {@code 12.0.1}; empty when it does not say
 * @param tables the types of the columns, as DuckDB names them, by table and column
 * @param isWhole whether every document could be read, so that what is not in it does not exist
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record TableSchema(String version, Map<String, Map<String, String>> tables, boolean isWhole) {

    /** Of a tool that does not tell: only what every query must be is looked at. */
    public static final TableSchema UNKNOWN = new TableSchema("", Map.of(), false);

    private static final int LONGEST = 8 << 20;
    private static final int MOST_CANDIDATES = 3;

    /** The documents are put together as they are, so that a line may end in the separator, and a key may begin behind it. */
    private static final Pattern SEPARATOR = Pattern.compile("(?m)---[ \\t]*(?=$|[A-Za-z_]\\w*[ \\t]*:)");

    private static final Pattern COLUMN =
            Pattern.compile("(?:Referenced column \"([^\"]+)\" not found|does not have a column named \"([^\"]+)\")");
    private static final Pattern CANDIDATES = Pattern.compile("(?m)Candidate bindings: ?:? ?(.*)$");
    private static final Pattern TABLE = Pattern.compile("Table with name \"?(\\w+)\"? does not exist");
    private static final Pattern SIMILAR = Pattern.compile("Did you mean \"([^\"]+)\"");

    private static final String NAMED = """
            SELECT DISTINCT unnest(regexp_extract_all(json_serialize_sql(?)::VARCHAR, '"table_name":"([^"]+)"', 1))""";

    /**
     * Reads what a tool printed.
     *
     * @param printed its answer
     * @return the schema; empty when there is no table in it
     */
    public static Optional<TableSchema> read(String printed) {
        if (printed.length() > LONGEST) {
            return Optional.empty();
        }
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(LONGEST);
        options.setAllowDuplicateKeys(true);
        String version = "";
        boolean isWhole = true;
        Map<String, Map<String, String>> tables = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String document : SEPARATOR.split(printed)) {
            try {
                Object read = new Yaml(new SafeConstructor(options)).load(document);
                if (read instanceof Map<?, ?> map) {
                    version = map.get("info") instanceof Map<?, ?> info && info.get("version") != null
                            ? String.valueOf(info.get("version"))
                            : version;
                    takeTables(map, tables);
                    if (map.get("components") instanceof Map<?, ?> components
                            && components.get("schemas") instanceof Map<?, ?> schemas) {
                        takeTables(schemas, tables);
                    }
                } else if (read != null) {
                    isWhole = false;
                }
            } catch (YAMLException unreadable) {
                isWhole = false;
            }
        }
        return tables.isEmpty() ? Optional.empty() : Optional.of(new TableSchema(version, tables, isWhole));
    }

    private static void takeTables(Map<?, ?> document, Map<String, Map<String, String>> tables) {
        document.forEach((name, table) -> {
            if (table instanceof Map<?, ?> body
                    && body.get("properties") instanceof Map<?, ?> properties
                    && !properties.isEmpty()) {
                Map<String, String> columns = new LinkedHashMap<>();
                properties.forEach((column, about) -> columns.put(String.valueOf(column), type(about)));
                tables.put(String.valueOf(name), columns);
            }
        });
    }

    private static String type(Object about) {
        if (!(about instanceof Map<?, ?> map)) {
            return "VARCHAR";
        }
        return switch (String.valueOf(map.get("type"))) {
            case "integer" -> "BIGINT";
            case "number" -> "DOUBLE";
            case "boolean" -> "BOOLEAN";
            case "array" -> type(map.get("items")) + "[]";
            default -> "VARCHAR";
        };
    }

    /**
     * Looks whether a query can be asked of such tables, before there are any.
     *
     * @param sql the query
     * @param tool what messages call the tool, such as {@code neuron-explorer 2.33.1.0}
     * @return what is wrong with it: a mistake in writing, or a table or column that there is not; empty when nothing is, or that
     *     cannot be said
     */
    public Optional<String> mistakeIn(String sql, String tool) {
        try (Connection connection = DuckDb.open();
                Statement statement = connection.createStatement()) {
            statement.execute("SET enable_external_access = false");
            for (Map.Entry<String, Map<String, String>> table : tables.entrySet()) {
                statement.execute("CREATE TABLE %s (%s)"
                        .formatted(
                                name(table.getKey()),
                                table.getValue().entrySet().stream()
                                        .map(column -> name(column.getKey()) + " " + column.getValue())
                                        .collect(Collectors.joining(", "))));
            }
            statement.execute("SET lock_configuration = true");
            // To prepare several statements runs all but the last.
            if (QueryForm.of(connection, sql) == QueryForm.OTHER) {
                return Optional.of(
                        "only one SELECT may be asked, and this is something else: " + TableSession.shown(sql));
            }
            try (PreparedStatement prepared = connection.prepareStatement(sql)) {
                prepared.getMetaData();
                return Optional.empty();
            } catch (SQLException mistake) {
                return inWords(connection, sql, installed(tool), VisibleText.of(String.valueOf(mistake.getMessage())));
            }
        } catch (SQLException | TablesException unable) {
            // The query itself will tell.
            return Optional.empty();
        }
    }

    private String installed(String tool) {
        return "the installed " + tool + (version.isEmpty() ? "" : " (schema " + version + ")");
    }

    private Optional<String> inWords(Connection connection, String sql, String installed, String said) {
        if (said.startsWith("Parser Error")) {
            return Optional.of("the query cannot be read:\n" + said);
        }
        Matcher column = COLUMN.matcher(said);
        if (column.find()) {
            String name = column.group(1) == null ? column.group(2) : column.group(1);
            List<String> named = named(connection, sql);
            return Optional.of("%s has no column %s in %s%s\n%s"
                    .formatted(
                            installed,
                            name,
                            named.isEmpty() ? "any table of the query" : String.join(" or ", named),
                            nearest(CANDIDATES.matcher(said)),
                            said));
        }
        Matcher table = TABLE.matcher(said);
        return table.find() && isWhole
                ? Optional.of("%s has no table %s%s\n%s"
                        .formatted(installed, table.group(1), nearest(SIMILAR.matcher(said)), said))
                : Optional.empty();
    }

    private static String nearest(Matcher candidates) {
        return candidates.find()
                ? "; nearest: "
                        + Stream.of(candidates.group(1).replace("\"", "").split(", "))
                                .limit(MOST_CANDIDATES)
                                .collect(Collectors.joining(", "))
                : "";
    }

    /** The tables of a query, as the schema writes them. */
    private List<String> named(Connection connection, String sql) {
        try (PreparedStatement statement = connection.prepareStatement(NAMED)) {
            statement.setString(1, sql);
            List<String> names = new ArrayList<>();
            try (ResultSet results = statement.executeQuery()) {
                while (results.next()) {
                    names.add(results.getString(1));
                }
            }
            return tables.keySet().stream()
                    .filter(table -> names.stream().anyMatch(table::equalsIgnoreCase))
                    .toList();
        } catch (SQLException e) {
            return List.of();
        }
    }

    private static String name(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }
}
