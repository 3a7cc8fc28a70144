package proofmark.harness;

import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Values of {@code @Param} fields: those that were given, else the first one that the benchmark names. */
final class JmhParameters {
    private final Map<String, String> given = new TreeMap<>();
    private final Set<String> known = new TreeSet<>();

    /** {@code words} are {@code NAME=VALUE}. */
    JmhParameters(String[] words) throws Jmh.Unfit {
        for (String word : words) {
            int sign = word.indexOf('=');
            if (sign < 1) {
                throw new Jmh.Unfit("'" + word + "' is no parameter: write NAME=VALUE");
            }
            if (given.put(word.substring(0, sign), word.substring(sign + 1)) != null) {
                throw new Jmh.Unfit("the parameter " + word.substring(0, sign) + " is given twice");
            }
        }
    }

    /** Sets the fields of an object, those of its super classes too. */
    void set(Object object) throws ReflectiveOperationException {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                Annotation param = Jmh.on(field, "Param");
                if (param == null) {
                    continue;
                }
                known.add(field.getName());
                String text = given.get(field.getName());
                field.setAccessible(true);
                field.set(object, converted(field, text == null ? first(field, (String[]) Jmh.value(param)) : text));
            }
        }
    }

    /** Refuses what no field takes, once all objects are there. */
    void check() throws Jmh.Unfit {
        for (String name : given.keySet()) {
            if (!known.contains(name)) {
                String all = known.isEmpty() ? "it has none" : "it has " + String.join(", ", known);
                throw new Jmh.Unfit("it has no @Param " + name + "; " + all);
            }
        }
    }

    private static String first(Field field, String[] values) throws Jmh.Unfit {
        if (values.length > 0 && !values[0].equals(Jmh.NO_VALUES)) {
            return values[0];
        }
        Object[] constants = field.getType().getEnumConstants();
        if (constants != null && constants.length > 0) {
            return ((Enum<?>) constants[0]).name();
        }
        throw new Jmh.Unfit("@Param " + field.getName() + " names no value: write ?" + field.getName() + "=VALUE behind the benchmark");
    }

    private static Object converted(Field field, String text) throws Jmh.Unfit {
        Class<?> type = field.getType();
        try {
            return switch (type.getName()) {
                case "java.lang.String" -> text;
                case "int", "java.lang.Integer" -> Integer.valueOf(text);
                case "long", "java.lang.Long" -> Long.valueOf(text);
                case "double", "java.lang.Double" -> Double.valueOf(text);
                case "float", "java.lang.Float" -> Float.valueOf(text);
                case "short", "java.lang.Short" -> Short.valueOf(text);
                case "byte", "java.lang.Byte" -> Byte.valueOf(text);
                case "boolean", "java.lang.Boolean" -> truth(text);
                case "char", "java.lang.Character" -> sign(text);
                default -> constant(type, text);
            };
        } catch (IllegalArgumentException e) {
            throw new Jmh.Unfit("@Param " + field.getName() + ": '" + text + "' is no " + type.getSimpleName(), e);
        }
    }

    private static Boolean truth(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException(text);
        }
        return Boolean.valueOf(text);
    }

    private static Character sign(String text) {
        if (text.length() != 1) {
            throw new IllegalArgumentException(text);
        }
        return text.charAt(0);
    }

    private static Object constant(Class<?> type, String text) {
        Object[] constants = type.getEnumConstants();
        if (constants != null) {
            for (Object one : constants) {
                if (((Enum<?>) one).name().equals(text)) {
                    return one;
                }
            }
        }
        throw new IllegalArgumentException(text);
    }
}
