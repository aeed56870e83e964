package dev.neurontest.internal.json;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The members of a record and their types. */
final class RecordShape {

    private static final ClassValue<RecordShape> SHAPES = new ClassValue<>() {
        @Override
        protected RecordShape computeValue(Class<?> type) {
            return new RecordShape(type);
        }
    };

    private final List<Component> components;
    private final Map<String, Integer> positions = new HashMap<>();
    private final Class<?> type;
    private volatile @Nullable Constructor<?> constructor;

    /** A component of a record. Properties that only readers need are determined on first use. */
    static final class Component {

        private final String member;
        private final RecordComponent declared;
        private final Method accessor;
        private final boolean isUnwrapped;
        private @Nullable Type type;
        private @Nullable Boolean isOptional;

        private Component(RecordComponent declared) {
            this.declared = declared;
            this.accessor = declared.getAccessor();
            this.isUnwrapped = declared.isAnnotationPresent(Unwrapped.class);
            this.member = declared.getType() == Duration.class ? declared.getName() + "Nanos" : declared.getName();
            accessor.setAccessible(true);
        }

        /** Returns the name in JSON. */
        String member() {
            return member;
        }

        /** Checks whether the members of this component are members of the record itself. */
        boolean isUnwrapped() {
            return isUnwrapped;
        }

        /** Returns the type, with the types of its elements. */
        Type type() {
            if (type == null) {
                type = declared.getGenericType();
            }
            return type;
        }

        /** Checks whether the component may be absent. */
        boolean isOptional() {
            if (isOptional == null) {
                isOptional = declared.getType() == Optional.class
                        || declared.getAnnotatedType().isAnnotationPresent(Nullable.class);
            }
            return isOptional;
        }

        /** Returns the value of the component; null for null and for an empty optional. */
        @Nullable
        Object value(Object holder) {
            try {
                Object value = accessor.invoke(holder);
                return value instanceof Optional<?> optional ? optional.orElse(null) : value;
            } catch (IllegalAccessException | InvocationTargetException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    private RecordShape(Class<?> type) {
        this.type = type;
        RecordComponent[] declared = type.getRecordComponents();
        Component[] all = new Component[declared.length];
        for (int position = 0; position < declared.length; position++) {
            Component component = new Component(declared[position]);
            all[position] = component;
            if (!component.isUnwrapped()) {
                positions.put(component.member(), position);
            }
        }
        components = List.of(all);
    }

    static RecordShape of(Class<?> type) {
        return SHAPES.get(type);
    }

    Class<?> type() {
        return type;
    }

    List<Component> components() {
        return components;
    }

    /** Returns the position of the component with the given member; null for unknown names. */
    @Nullable
    Integer position(String member) {
        return positions.get(member);
    }

    /** Checks whether no component is unwrapped. */
    boolean isFlat() {
        return positions.size() == components.size();
    }

    /** Checks whether the record has a single component. Within another record, such a record is written as its component. */
    boolean isValue() {
        return components.size() == 1;
    }

    Object create(@Nullable Object[] arguments) throws InvocationTargetException {
        try {
            return constructor().newInstance(arguments);
        } catch (NoSuchMethodException | InstantiationException | IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private Constructor<?> constructor() throws NoSuchMethodException {
        Constructor<?> found = constructor;
        if (found == null) {
            Class<?>[] types = new Class<?>[components.size()];
            for (int position = 0; position < types.length; position++) {
                types[position] = components.get(position).declared.getType();
            }
            found = type.getDeclaredConstructor(types);
            found.setAccessible(true);
            constructor = found;
        }
        return found;
    }
}
