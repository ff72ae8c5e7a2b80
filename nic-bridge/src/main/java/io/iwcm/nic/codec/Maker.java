package io.iwcm.nic.codec;

import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;

/** Calls a record's constructor with its parts as they are read, without reflection. */
@FunctionalInterface
interface Maker {

    Object make(Part[] parts, Input in);

    /** The house's records have eight components at most. */
    List<Class<?>> BY_COUNT =
            List.of(Of0.class, Of1.class, Of2.class, Of3.class, Of4.class, Of5.class, Of6.class, Of7.class, Of8.class);

    static Maker of(Class<?> type, RecordComponent[] components) {
        if (components.length >= BY_COUNT.size()) {
            throw new IllegalStateException(type + " has more than " + (BY_COUNT.size() - 1) + " components");
        }
        Class<?>[] raw = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            MethodHandle constructor = lookup.findConstructor(type, MethodType.methodType(void.class, raw));
            Class<?> form = BY_COUNT.get(raw.length);
            Object made = LambdaMetafactory.metafactory(
                            lookup,
                            "make",
                            MethodType.methodType(form),
                            MethodType.genericMethodType(raw.length),
                            constructor,
                            constructor.type().wrap())
                    .getTarget()
                    .invoke();
            return of(made);
        } catch (Throwable e) {
            throw new IllegalStateException("no way to make a " + type, e);
        }
    }

    private static Maker of(Object made) {
        return switch (made) {
            case Of0 of -> (_, _) -> of.make();
            case Of1 of -> (parts, in) -> of.make(parts[0].read(in));
            case Of2 of -> (parts, in) -> of.make(parts[0].read(in), parts[1].read(in));
            case Of3 of -> (parts, in) -> of.make(parts[0].read(in), parts[1].read(in), parts[2].read(in));
            case Of4 of ->
                (parts, in) -> of.make(parts[0].read(in), parts[1].read(in), parts[2].read(in), parts[3].read(in));
            case Of5 of ->
                (parts, in) -> of.make(
                        parts[0].read(in), parts[1].read(in), parts[2].read(in), parts[3].read(in), parts[4].read(in));
            case Of6 of ->
                (parts, in) -> of.make(
                        parts[0].read(in),
                        parts[1].read(in),
                        parts[2].read(in),
                        parts[3].read(in),
                        parts[4].read(in),
                        parts[5].read(in));
            case Of7 of ->
                (parts, in) -> of.make(
                        parts[0].read(in),
                        parts[1].read(in),
                        parts[2].read(in),
                        parts[3].read(in),
                        parts[4].read(in),
                        parts[5].read(in),
                        parts[6].read(in));
            case Of8 of ->
                (parts, in) -> of.make(
                        parts[0].read(in),
                        parts[1].read(in),
                        parts[2].read(in),
                        parts[3].read(in),
                        parts[4].read(in),
                        parts[5].read(in),
                        parts[6].read(in),
                        parts[7].read(in));
            default -> throw new IllegalStateException("no maker: " + made);
        };
    }

    // Public, since what implements them lives in the packages of the records.

    interface Of0 {
        Object make();
    }

    interface Of1 {
        Object make(Object a);
    }

    interface Of2 {
        Object make(Object a, Object b);
    }

    interface Of3 {
        Object make(Object a, Object b, Object c);
    }

    interface Of4 {
        Object make(Object a, Object b, Object c, Object d);
    }

    interface Of5 {
        Object make(Object a, Object b, Object c, Object d, Object e);
    }

    interface Of6 {
        Object make(Object a, Object b, Object c, Object d, Object e, Object f);
    }

    interface Of7 {
        Object make(Object a, Object b, Object c, Object d, Object e, Object f, Object g);
    }

    interface Of8 {
        Object make(Object a, Object b, Object c, Object d, Object e, Object f, Object g, Object h);
    }
}
