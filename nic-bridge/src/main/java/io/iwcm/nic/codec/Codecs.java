package io.iwcm.nic.codec;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;

/** Codecs of the shapes that types come in, but for records. */
final class Codecs {

    private Codecs() {}

    static final Codec<ActorRef<?>> ACTOR = new Codec<>() {
        @Override
        public void write(ActorRef<?> value, Output out) {
            out.actor(value);
        }

        @Override
        public ActorRef<?> read(Input in) {
            return in.actor();
        }
    };

    /** An enum's constant by its number. */
    record Constant(String name, Object[] constants) implements Codec<Object> {
        @Override
        public void write(Object value, Output out) {
            out.unsigned(((Enum<?>) value).ordinal());
        }

        @Override
        public Object read(Input in) {
            return constants[in.oneOf(constants.length, name)];
        }
    }

    /** One of several classes: its number, then what it is. */
    static final class Choice implements Codec<Object> {

        private record Form(int number, Codec<Object> codec) {}

        private final String name;
        private final Map<Class<?>, Form> byClass = new HashMap<>();
        private final List<Codec<Object>> byNumber = new ArrayList<>();

        Choice(String name) {
            this.name = name;
        }

        void add(Class<?> type, Codec<Object> codec) {
            if (byClass.putIfAbsent(type, new Form(byNumber.size(), codec)) == null) byNumber.add(codec);
        }

        boolean knows(Class<?> type) {
            return byClass.containsKey(type);
        }

        @Override
        public void write(Object value, Output out) {
            Form form = byClass.get(value.getClass());
            if (form == null && value instanceof Enum<?> constant) form = byClass.get(constant.getDeclaringClass());
            if (form == null) {
                throw new CodecException("a " + value.getClass().getName() + " does not cross as " + name);
            }
            out.unsigned(form.number());
            form.codec().write(value, out);
        }

        @Override
        public Object read(Input in) {
            return byNumber.get(in.oneOf(byNumber.size(), name)).read(in);
        }
    }

    record StandingIn(Codec<Object> form, Function<Object, Object> to, Function<Object, Object> from)
            implements Codec<Object> {
        @Override
        public void write(Object value, Output out) {
            form.write(to.apply(value), out);
        }

        @Override
        public Object read(Input in) {
            return from.apply(form.read(in));
        }

        @Override
        public boolean mayBeEmpty() {
            return form.mayBeEmpty();
        }
    }

    record Maybe(Codec<Object> of) implements Codec<Object> {
        @Override
        public void write(Object value, Output out) {
            Optional<?> maybe = (Optional<?>) value;
            out.flag(maybe.isPresent());
            if (maybe.isPresent()) of.write(maybe.get(), out);
        }

        @Override
        public Object read(Input in) {
            return in.flag() ? Optional.of(of.read(in)) : Optional.empty();
        }
    }

    record Row(Codec<Object> of) implements Codec<Object> {
        @Override
        public void write(Object value, Output out) {
            List<?> row = (List<?>) value;
            out.unsigned(row.size());
            for (Object each : row) of.write(each, out);
        }

        @Override
        public Object read(Input in) {
            Object[] row = new Object[in.count()];
            for (int i = 0; i < row.length; i++) row[i] = of.read(in);
            return List.of(row);
        }
    }

    /** A set keeps the order in which it was written. */
    record Bag(Codec<Object> of) implements Codec<Object> {
        @Override
        public void write(Object value, Output out) {
            Set<?> bag = (Set<?>) value;
            out.unsigned(bag.size());
            for (Object each : bag) of.write(each, out);
        }

        @Override
        public Object read(Input in) {
            int count = in.count();
            Set<Object> bag = new LinkedHashSet<>();
            for (int i = 0; i < count; i++) bag.add(of.read(in));
            return Collections.unmodifiableSet(bag);
        }
    }

    /** A map keeps the order in which it was written. */
    record Table(Codec<Object> key, Codec<Object> value) implements Codec<Object> {
        @Override
        public void write(Object from, Output out) {
            Map<?, ?> table = (Map<?, ?>) from;
            out.unsigned(table.size());
            table.forEach((name, content) -> {
                key.write(name, out);
                value.write(content, out);
            });
        }

        @Override
        public Object read(Input in) {
            int count = in.count();
            Map<Object, Object> table = new LinkedHashMap<>();
            for (int i = 0; i < count; i++) {
                Object name = key.read(in);
                table.put(name, value.read(in));
            }
            return Collections.unmodifiableMap(table);
        }
    }
}
