package io.iwcm.nic.codec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Takes down what {@link Vocabulary vocabularies} say. The order of what is said is part of the form. */
public final class Words {

    /** A codec made by hand, and what it says of its form. */
    record Value(String form, Codec<?> codec) {}

    /** A record that stands for a class which is none. */
    record StandIn(Class<?> form, Function<Object, Object> to, Function<Object, Object> from) {}

    private final Set<Class<?>> messages = new LinkedHashSet<>();
    private final Set<Class<?>> staying = new LinkedHashSet<>();
    private final Map<Class<?>, List<Class<?>>> open = new LinkedHashMap<>();
    private final Map<Class<?>, Value> values = new LinkedHashMap<>();
    private final Map<Class<?>, StandIn> standIns = new LinkedHashMap<>();

    Words() {}

    /** Messages: records, enums, and sealed interfaces of such. */
    public Words message(Class<?>... types) {
        messages.addAll(List.of(types));
        return this;
    }

    /**
     * An interface that anybody may implement, none of which crosses unless {@linkplain #open(Class, Class) said}: holding one
     * is no fault, sending one is.
     */
    public Words open(Class<?> type) {
        open.computeIfAbsent(type, _ -> new ArrayList<>());
        return this;
    }

    /** An implementation of an open interface that crosses, besides those that others have named. */
    public <T> Words open(Class<T> type, Class<? extends T> form) {
        open.computeIfAbsent(type, _ -> new ArrayList<>()).add(form);
        return this;
    }

    /** Forms of a sealed interface that are told within a member only: nobody else can send them. */
    public Words stays(Class<?>... types) {
        staying.addAll(List.of(types));
        return this;
    }

    /**
     * A class with a codec of its own.
     *
     * @param form says what it writes: to be changed whenever that changes
     */
    public <T> Words value(Class<T> type, String form, Codec<T> codec) {
        values.put(type, new Value(form, codec));
        return this;
    }

    /** A class that is no record crosses as one. */
    public <T, F extends Record> Words as(Class<T> type, Class<F> form, Function<T, F> to, Function<F, T> from) {
        standIns.put(
                type, new StandIn(form, value -> to.apply(type.cast(value)), value -> from.apply(form.cast(value))));
        return this;
    }

    Set<Class<?>> messages() {
        return messages;
    }

    Set<Class<?>> staying() {
        return staying;
    }

    Map<Class<?>, List<Class<?>>> open() {
        return open;
    }

    Map<Class<?>, Value> values() {
        return values;
    }

    Map<Class<?>, StandIn> standIns() {
        return standIns;
    }
}
