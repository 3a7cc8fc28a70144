package proofmark.harness;

import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import proofmark.graal.Json;

/**
 * Messages as JSON: a record is an object whose fields are its components. One of several records, those that a sealed
 * interface permits, is an object with one field, named after the record. Nothing may be missing and nothing unknown.
 */
final class Messages {
    private Messages() {
    }

    /** Reads a message of the given type. */
    static <T> T read(String text, Class<T> type) {
        return type.cast(convert(JsonReader.read(text), type));
    }

    private static Object convert(Object json, Type type) {
        if (type instanceof ParameterizedType list) {
            Type item = list.getActualTypeArguments()[0];
            return ((List<?>) json).stream().map(value -> convert(value, item)).toList();
        }
        Class<?> wanted = (Class<?>) type;
        if (wanted.isArray()) {
            return numbers((List<?>) json, wanted);
        }
        if (wanted == int.class || wanted == Integer.class) {
            return Math.toIntExact((Long) json);
        }
        if (wanted == double.class) {
            return ((Number) json).doubleValue();
        }
        if (wanted.isEnum()) {
            return constant(wanted, (String) json);
        }
        if (wanted.isSealed()) {
            return oneOf(wanted, fields(json));
        }
        return wanted.isRecord() ? record(wanted, fields(json)) : json;
    }

    private static Object numbers(List<?> json, Class<?> array) {
        if (array == int[].class) {
            return json.stream().mapToInt(value -> Math.toIntExact((Long) value)).toArray();
        }
        return json.stream().mapToLong(value -> (Long) value).toArray();
    }

    private static Object constant(Class<?> type, String name) {
        for (Object constant : type.getEnumConstants()) {
            if (constant.toString().toLowerCase(Locale.ROOT).equals(name)) {
                return constant;
            }
        }
        throw new IllegalArgumentException("no " + type.getSimpleName() + " is called " + name);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> fields(Object json) {
        return (Map<String, Object>) json;
    }

    private static Object oneOf(Class<?> type, Map<String, Object> json) {
        for (Class<?> permitted : type.getPermittedSubclasses()) {
            String name = name(permitted);
            if (json.size() == 1 && json.containsKey(name)) {
                return record(permitted, fields(json.get(name)));
            }
        }
        throw new IllegalArgumentException("unknown " + name(type) + " " + json.keySet());
    }

    private static Object record(Class<?> type, Map<String, Object> json) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            String field = separated(components[i].getName(), '_');
            if (!json.containsKey(field)) {
                throw new IllegalArgumentException(name(type) + " without " + field + ": " + json.keySet());
            }
            Object value = json.get(field);
            values[i] = value == null ? null : convert(value, components[i].getGenericType());
        }
        if (json.size() > components.length) {
            throw new IllegalArgumentException(name(type) + " with fields that it does not have: " + json.keySet());
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("cannot make a " + name(type), e);
        }
    }

    /** What a record is called where it is one of several. */
    static String name(Class<?> type) {
        return separated(type.getSimpleName(), '-');
    }

    /** In small letters, with a mark where a capital letter was. */
    private static String separated(String name, char mark) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isUpperCase(c) && i > 0) {
                out.append(mark);
            }
            out.append(Character.toLowerCase(c));
        }
        return out.toString();
    }

    /** Writes a message, or any value that may be in one. */
    static void write(Json json, Object value) {
        switch (value) {
            case null -> json.value((String) null);
            case String text -> json.value(text);
            case Boolean flag -> json.value(flag.booleanValue());
            case Double number -> json.value(number.doubleValue());
            case Number number -> json.value(number.longValue());
            case Enum<?> constant -> json.value(constant.name().toLowerCase(Locale.ROOT));
            case List<?> items -> {
                json.array();
                items.forEach(item -> write(json, item));
                json.end();
            }
            case int[] numbers -> {
                json.array();
                for (int number : numbers) {
                    json.value(number);
                }
                json.end();
            }
            case long[] numbers -> {
                json.array();
                for (long number : numbers) {
                    json.value(number);
                }
                json.end();
            }
            case Record message -> fields(json, message);
            default -> throw new IllegalArgumentException("no message holds a " + value.getClass());
        }
    }

    private static void fields(Json json, Record message) {
        json.object();
        for (RecordComponent component : message.getClass().getRecordComponents()) {
            json.name(separated(component.getName(), '_'));
            try {
                Object value = component.getAccessor().invoke(message);
                if (component.getType().isSealed()) {
                    write(json.object().name(name(value.getClass())), value);
                    json.end();
                } else {
                    write(json, value);
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalArgumentException("cannot read " + component, e);
            }
        }
        json.end();
    }
}
