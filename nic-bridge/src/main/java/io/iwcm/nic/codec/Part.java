package io.iwcm.nic.codec;

import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/** One component of a record: read from it without reflection and, where it is a number, without a box. */
sealed interface Part {

    void write(Object from, Output out);

    Object read(Input in);

    default boolean mayBeEmpty() {
        return false;
    }

    @SuppressWarnings("unchecked") // A lambda over an accessor takes any object.
    static Part of(Class<?> type, RecordComponent component, Grammar grammar) {
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            MethodHandle accessor = lookup.unreflect(component.getAccessor());
            Class<?> of = component.getType();
            if (of == int.class) return new Whole(lambda(lookup, accessor, ToIntFunction.class, "applyAsInt"));
            if (of == long.class) return new Wide(lambda(lookup, accessor, ToLongFunction.class, "applyAsLong"));
            if (of == boolean.class) return new Flag(lambda(lookup, accessor, Predicate.class, "test"));
            if (of.isPrimitive()) {
                throw new IllegalStateException(of + " has no codec: component " + component.getName() + " of " + type);
            }
            Codec<Object> codec = grammar.of(component.getGenericType());
            return new Reference(lambda(lookup, accessor, Function.class, "apply"), codec);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("component " + component.getName() + " of " + type + " is closed", e);
        }
    }

    /** @param name of the interface's only method, which takes the record as an object */
    private static <T> T lambda(MethodHandles.Lookup lookup, MethodHandle accessor, Class<T> form, String name) {
        Class<?> returned = accessor.type().returnType();
        Class<?> erased = returned.isPrimitive() ? returned : Object.class;
        try {
            MethodHandle factory = LambdaMetafactory.metafactory(
                            lookup,
                            name,
                            MethodType.methodType(form),
                            MethodType.methodType(erased, Object.class),
                            accessor,
                            accessor.type())
                    .getTarget();
            return form.cast(factory.invoke());
        } catch (Throwable e) {
            throw new IllegalStateException("no way to read " + accessor, e);
        }
    }

    record Whole(ToIntFunction<Object> of) implements Part {
        @Override
        public void write(Object from, Output out) {
            out.signed(of.applyAsInt(from));
        }

        @Override
        public Object read(Input in) {
            return in.signedInt();
        }
    }

    record Wide(ToLongFunction<Object> of) implements Part {
        @Override
        public void write(Object from, Output out) {
            out.signed(of.applyAsLong(from));
        }

        @Override
        public Object read(Input in) {
            return in.signed();
        }
    }

    record Flag(Predicate<Object> of) implements Part {
        @Override
        public void write(Object from, Output out) {
            out.flag(of.test(from));
        }

        @Override
        public Object read(Input in) {
            return in.flag();
        }
    }

    record Reference(Function<Object, Object> of, Codec<Object> codec) implements Part {
        @Override
        public void write(Object from, Output out) {
            codec.write(of.apply(from), out);
        }

        @Override
        public Object read(Input in) {
            return codec.read(in);
        }

        @Override
        public boolean mayBeEmpty() {
            return codec.mayBeEmpty();
        }
    }
}
