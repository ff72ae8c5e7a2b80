package io.iwcm.cm.map;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A method as the map writes it: {@code package.Type#method} below {@code io.iwcm}, nested types with a dot, and, where its
 * name alone would not do, the simple names of its parameters' types in brackets.
 */
record Named(String text) {

    /** Nothing has this name, or more than one thing has. */
    static final class NotFound extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotFound(String message) {
            super(message);
        }
    }

    private static final Pattern FORM = Pattern.compile("([a-z.]+)\\.([A-Z][\\w.]*)#(\\w+)(?:\\(([^)]*)\\))?");

    /** The method that the type itself declares. */
    Method declared(ClassLoader loader) {
        Class<?> type = type(loader);
        return only(Arrays.stream(type.getDeclaredMethods()));
    }

    /** The method that the type declares or inherits. */
    Method declaredOrInherited(ClassLoader loader) {
        for (Class<?> type = type(loader); type != null; type = type.getSuperclass()) {
            List<Method> found = matching(Arrays.stream(type.getDeclaredMethods()));
            if (!found.isEmpty()) {
                return only(found.stream());
            }
        }
        throw new NotFound("there is no " + text);
    }

    Class<?> type(ClassLoader loader) {
        Matcher form = form();
        String name = "io.iwcm." + form.group(1) + "." + form.group(2).replace('.', '$');
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException _) {
            throw new NotFound("there is no type " + name);
        }
    }

    private Matcher form() {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new NotFound(
                    "'" + text + "' does not name a method: package.Type#method or package.Type#method(A, B)");
        }
        return form;
    }

    private List<Method> matching(java.util.stream.Stream<Method> methods) {
        Matcher form = form();
        String name = form.group(3);
        String parameters = form.group(4);
        return methods.filter(
                        method -> !method.isSynthetic() && method.getName().equals(name))
                .filter(method -> parameters == null || parameters.equals(parameters(method)))
                .toList();
    }

    private Method only(java.util.stream.Stream<Method> methods) {
        List<Method> found = matching(methods);
        return switch (found.size()) {
            case 0 -> throw new NotFound("there is no " + text);
            case 1 -> found.getFirst();
            default ->
                throw new NotFound(text + " names " + found.size() + " methods: add one of "
                        + found.stream().map(m -> "(" + parameters(m) + ")").collect(Collectors.joining(" ")));
        };
    }

    private static String parameters(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return text;
    }
}
