package io.iwcm.nic.codec;

import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * Makes a codec of every type that can be reached from a message, and describes it, one line a type in the order in which
 * they are met: what two members agree on. A type of which none can be made is named with the path that leads to it.
 */
final class Grammar {

    private final Words words;
    private final Codec<Object> message;
    private final Map<Type, Codec<?>> made = new HashMap<>();
    private final Deque<Type> path = new ArrayDeque<>();
    private final Map<Class<?>, List<Class<?>>> choices = new LinkedHashMap<>();
    private final StringBuilder description = new StringBuilder();

    /** @param message any message at all: what a type variable stands for */
    Grammar(Words words, Codec<Object> message) {
        this.words = words;
        Deferred any = new Deferred();
        any.is(message);
        this.message = any;
    }

    /** The forms of each interface that has been met. */
    Map<Class<?>, List<Class<?>>> choices() {
        return choices;
    }

    /** What has been described so far. */
    String description() {
        return description.toString();
    }

    /** A message is one of a sealed interface's forms, or the only form of its own type. */
    List<Class<?>> formsOf(Class<?> message) {
        return message.isSealed() ? leaves(message) : List.of(message);
    }

    @SuppressWarnings("unchecked")
    Codec<Object> of(Type type) {
        Codec<?> known = made.get(type);
        if (known == null) {
            Deferred self = new Deferred();
            made.put(type, self);
            path.addLast(type);
            known = make(type);
            path.removeLast();
            self.is((Codec<Object>) known);
            made.put(type, known);
        }
        return (Codec<Object>) known;
    }

    private Codec<?> make(Type type) {
        return switch (type) {
            case Class<?> plain -> make(plain);
            case ParameterizedType generic -> make(generic);
            case TypeVariable<?> _ -> message;
            default -> throw impossible("has no codec");
        };
    }

    private Codec<?> make(Class<?> type) {
        Words.Value value = words.values().get(type);
        if (value != null) return described(type, value.form(), value.codec());
        Words.StandIn standIn = words.standIns().get(type);
        if (standIn != null) {
            describe(type, "as " + standIn.form().getName());
            Codec<Object> form = of(standIn.form());
            return new Codecs.StandingIn(form, standIn.to(), standIn.from());
        }
        if (type == ActorRef.class) return described(type, "actor", Codecs.ACTOR);
        if (type.isEnum()) return enumeration(type);
        if (type.isRecord()) return record(type);
        if (type.isSealed()) return choice(type, leaves(type));
        if (words.open().containsKey(type)) return choice(type, words.open().get(type));
        throw impossible("has no codec");
    }

    private Codec<?> make(ParameterizedType generic) {
        Class<?> raw = (Class<?>) generic.getRawType();
        if (raw == ActorRef.class || raw.isRecord()) return of(raw);
        List<Codec<Object>> arguments =
                Arrays.stream(generic.getActualTypeArguments()).map(this::of).toList();
        if (raw == Optional.class) return new Codecs.Maybe(arguments.getFirst());
        if (arguments.stream().anyMatch(Codec::mayBeEmpty)) throw impossible("would have things that take no octet");
        if (raw == List.class) return new Codecs.Row(arguments.getFirst());
        if (raw == Set.class) return new Codecs.Bag(arguments.getFirst());
        if (raw == Map.class) return new Codecs.Table(arguments.getFirst(), arguments.getLast());
        throw impossible("has no codec");
    }

    private Codec<?> enumeration(Class<?> type) {
        Object[] constants = type.getEnumConstants();
        describe(
                type,
                "one of "
                        + Arrays.stream(constants)
                                .map(it -> ((Enum<?>) it).name())
                                .toList());
        return new Codecs.Constant(type.getSimpleName(), constants);
    }

    private Codec<?> record(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        describe(
                type,
                Arrays.stream(components)
                        .map(component -> component.getName() + ": "
                                + component.getGenericType().getTypeName())
                        .collect(Collectors.joining(", ", "(", ")")));
        Part[] parts = new Part[components.length];
        for (int i = 0; i < parts.length; i++) {
            path.addLast(component(components[i]));
            parts[i] = Part.of(type, components[i], this);
            path.removeLast();
        }
        return new RecordCodec(parts, Maker.of(type, components));
    }

    private Codec<?> choice(Class<?> type, List<Class<?>> forms) {
        describe(type, "one of " + forms.stream().map(Class::getName).toList());
        choices.put(type, List.copyOf(forms));
        Codecs.Choice choice = new Codecs.Choice(type.getSimpleName());
        forms.forEach(form -> choice.add(form, of(form)));
        return choice;
    }

    /**
     * The classes of a sealed interface, in the order in which they are declared, each once. Private ones are an actor's
     * own: they do not cross.
     */
    private List<Class<?>> leaves(Class<?> type) {
        Set<Class<?>> leaves = new LinkedHashSet<>();
        for (Class<?> permitted : type.getPermittedSubclasses()) {
            if (Modifier.isPrivate(permitted.getModifiers())) continue;
            if (words.staying().contains(permitted)) continue;
            if (permitted.isSealed() && permitted.isInterface()) leaves.addAll(leaves(permitted));
            else leaves.add(permitted);
        }
        return List.copyOf(leaves);
    }

    private Codec<?> described(Class<?> type, String form, Codec<?> codec) {
        describe(type, form);
        return codec;
    }

    private void describe(Class<?> type, String form) {
        description.append(type.getName()).append(' ').append(form).append('\n');
    }

    private IllegalStateException impossible(String why) {
        List<String> steps = new ArrayList<>();
        path.forEach(step -> steps.add(step.getTypeName()));
        return new IllegalStateException(steps.getLast() + " " + why + ": " + String.join(" > ", steps));
    }

    /** Shows itself in a path only. */
    private static Type component(RecordComponent component) {
        return new Type() {
            @Override
            public String getTypeName() {
                return "." + component.getName();
            }
        };
    }

    /** Stands for a codec that is still being made, where a type holds itself. */
    private static final class Deferred implements Codec<Object> {

        private @Nullable Codec<Object> codec;

        void is(Codec<Object> made) {
            codec = made;
        }

        @Override
        public void write(Object value, Output out) {
            made().write(value, out);
        }

        @Override
        public Object read(Input in) {
            in.enter();
            Object value = made().read(in);
            in.leave();
            return value;
        }

        /** What holds itself does so through a choice or a list, which takes an octet. */
        @Override
        public boolean mayBeEmpty() {
            return false;
        }

        private Codec<Object> made() {
            if (codec == null) throw new IllegalStateException("used while being made");
            return codec;
        }
    }
}
