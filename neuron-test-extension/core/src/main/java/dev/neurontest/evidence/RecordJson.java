package dev.neurontest.evidence;

import dev.neurontest.json.JsonObject;
import dev.neurontest.process.Redaction;
import dev.neurontest.text.DurationText;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Records as JSON objects: one field per component, as {@link RunEvent} says it. Secrets in texts are masked when they are written. */
final class RecordJson<R extends Record> {

    private static final ClassValue<RecordJson<?>> SHAPES = new ClassValue<>() {
        @Override
        protected RecordJson<?> computeValue(Class<?> type) {
            return new RecordJson<>(type.asSubclass(Record.class));
        }
    };

    private static final ClassValue<Map<String, Object>> CONSTANTS = new ClassValue<>() {
        @Override
        protected Map<String, Object> computeValue(Class<?> type) {
            return Arrays.stream(type.getEnumConstants())
                    .collect(Collectors.toMap(
                            constant -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT), constant -> constant));
        }
    };

    private final Constructor<R> constructor;
    private final Component[] components;

    private RecordJson(Class<R> type) {
        this.components =
                Arrays.stream(type.getRecordComponents()).map(Component::new).toArray(Component[]::new);
        try {
            this.constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(Component::type).toArray(Class<?>[]::new));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("unchecked")
    static <R extends Record> RecordJson<R> of(Class<R> type) {
        return (RecordJson<R>) SHAPES.get(type);
    }

    /** Writes fields of an object that the caller has started. */
    static void writeFields(JsonGenerator json, Record value, Set<String> without) {
        for (Component component : of(value.getClass()).components) {
            Object field = without.contains(component.field) ? null : call(component.accessor, value);
            if (field != null) {
                json.writeName(component.field);
                write(json, field);
            }
        }
    }

    /** Gives null when a field that must be there is missing or of another type, or the record takes no such values. */
    @Nullable
    R read(Map<?, ?> fields) {
        Object[] arguments = new Object[components.length];
        for (int index = 0; index < components.length; index++) {
            Component component = components[index];
            Object field = fields.get(component.field);
            Object argument = field == null ? null : value(component.type, field);
            if (argument == null && (field != null || !component.nullable)) {
                return null;
            }
            arguments[index] = argument;
        }
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException refused) {
            return null;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static void write(JsonGenerator json, Object value) {
        if (value instanceof String text) {
            json.writeString(Redaction.mask(text));
        } else if (value instanceof Integer || value instanceof Long) {
            json.writeNumber(((Number) value).longValue());
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof Duration duration) {
            json.writeNumber(DurationText.nanos(duration));
        } else if (value instanceof Enum<?> constant) {
            json.writeString(constant.name().toLowerCase(Locale.ROOT));
        } else if (value instanceof JsonObject object) {
            json.writeRawValue(masked(object).text());
        } else if (value instanceof Collection<?> collection) {
            json.writeStartArray();
            collection.forEach(each -> write(json, each));
            json.writeEndArray();
        } else {
            json.writeStartObject();
            writeFields(json, (Record) value, Set.of());
            json.writeEndObject();
        }
    }

    /** Each text by itself, so that it stays JSON. Most objects hold no secret, which is seen without reading them. */
    static JsonObject masked(JsonObject object) {
        return Redaction.mask(object.text()).equals(object.text()) ? object : object.withTexts(RecordJson::masked);
    }

    private static String masked(String name, String text) {
        String named = name.isEmpty() ? "" : name + "=";
        String masked = Redaction.mask(named + text);
        return masked.startsWith(named) ? masked.substring(named.length()) : Redaction.mask(text);
    }

    private static @Nullable Object value(Class<?> type, Object field) {
        if (type == String.class) {
            return field instanceof String ? field : null;
        } else if (type == int.class) {
            return field instanceof Integer ? field : null;
        } else if (type == long.class) {
            return wholeNumber(field);
        } else if (type == boolean.class) {
            return field instanceof Boolean ? field : null;
        } else if (type == Duration.class) {
            Long nanos = wholeNumber(field);
            return nanos == null ? null : Duration.ofNanos(nanos);
        } else if (type.isEnum()) {
            return CONSTANTS.get(type).get(field);
        } else if (type == List.class) {
            return field instanceof List<?> list && list.stream().allMatch(String.class::isInstance) ? list : null;
        } else if (type == JsonObject.class) {
            return field instanceof JsonObject ? field : null;
        } else if (!(field instanceof Map<?, ?> object)) {
            return null;
        } else {
            return of(type.asSubclass(Record.class)).read(object);
        }
    }

    private static @Nullable Long wholeNumber(Object field) {
        return field instanceof Integer || field instanceof Long ? ((Number) field).longValue() : null;
    }

    private static @Nullable Object call(Method accessor, Record value) {
        try {
            return accessor.invoke(value);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }

    private record Component(Class<?> type, String field, Method accessor, boolean nullable) {

        Component(RecordComponent component) {
            this(
                    component.getType(),
                    component.getType() == Duration.class ? component.getName() + "Nanos" : component.getName(),
                    component.getAccessor(),
                    component.getAnnotatedType().isAnnotationPresent(Nullable.class));
        }
    }
}
