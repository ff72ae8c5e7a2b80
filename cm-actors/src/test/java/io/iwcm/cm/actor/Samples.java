package io.iwcm.cm.actor;

import io.iwcm.cm.proto.Cause;
import io.iwcm.nic.codec.Protocol;
import io.iwcm.nic.wire.Octets;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;

/** Values of any type that crosses between members, made from the types alone and from a seed. */
final class Samples {

    private static final int TRIES = 10_000;
    private static final int DEPTH_MAX = 12;
    private static final int[] NUMBERS = {-1, 0, 1, 2, 4, 7, 14, 24, 64, 100, 508, 1460, 1500, 4420, 65_535, 1 << 20};

    private final Random random;
    private final List<ActorRef<?>> actors;
    private int depth;

    Samples(long seed, List<ActorRef<?>> actors) {
        this.random = new Random(seed);
        this.actors = actors;
    }

    Object of(Type type) {
        return switch (type) {
            case Class<?> plain -> of(plain);
            case ParameterizedType generic -> of((Class<?>) generic.getRawType(), generic.getActualTypeArguments());
            case TypeVariable<?> _ -> any(List.of(Cause.values()));
            default -> throw new IllegalArgumentException("no sample of " + type);
        };
    }

    private Object of(Class<?> type) {
        if (type == int.class || type == Integer.class) return random.nextInt(4) == 0 ? random.nextInt() : number();
        if (type == long.class || type == Long.class) return random.nextInt(4) == 0 ? random.nextLong() : number();
        if (type == boolean.class) return random.nextBoolean();
        if (type == String.class) return "text " + number();
        if (type == Duration.class)
            return Duration.ofMillis(random.nextInt(100_000)).plusNanos(random.nextInt(1000));
        if (type == Octets.class) return octets();
        if (type == NodeRecord.class) return NodeRecord.of((NodeRecord.Crossing) of(NodeRecord.Crossing.class));
        if (type == ActorRef.class) return any(actors);
        if (type.isEnum()) return any(List.of(type.getEnumConstants()));
        if (type.isRecord()) return record(type);
        List<Class<?>> forms = Protocol.shared().forms(type);
        if (forms.isEmpty()) throw new IllegalArgumentException("no sample of " + type);
        return of(depth > DEPTH_MAX ? forms.getFirst() : any(forms));
    }

    private Object of(Class<?> raw, Type[] arguments) {
        if (raw == ActorRef.class) return any(actors);
        if (raw.isRecord()) return record(raw);
        if (raw == Optional.class) {
            return random.nextBoolean() ? Optional.of(of(arguments[0])) : Optional.empty();
        }
        int count = random.nextInt(4);
        if (raw == Map.class) {
            Map<Object, Object> map = new LinkedHashMap<>();
            for (int i = 0; i < count; i++) map.put(of(arguments[0]), of(arguments[1]));
            return map;
        }
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < count; i++) list.add(of(arguments[0]));
        return raw == Set.class ? new LinkedHashSet<>(list) : list;
    }

    /** What a record does not allow is tried again. */
    private Object record(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        depth++;
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            for (int i = 0; i < TRIES; i++) {
                try {
                    return constructor.newInstance(Arrays.stream(components)
                            .map(component -> of(component.getGenericType()))
                            .toArray());
                } catch (InvocationTargetException e) {
                    if (!(e.getCause() instanceof IllegalArgumentException)) throw e;
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no sample of " + type, e);
        } finally {
            depth--;
        }
        throw new IllegalStateException("no sample of " + type + " is allowed");
    }

    /** An int also where a long is wanted: reflection widens it. */
    private int number() {
        return NUMBERS[random.nextInt(NUMBERS.length)];
    }

    private Octets octets() {
        byte[] octets = new byte[random.nextInt(64)];
        random.nextBytes(octets);
        return Octets.wrap(octets);
    }

    private <T> T any(List<? extends T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** The same by content, also where a class has no equality of its own. */
    static boolean same(Object one, Object other) {
        return switch (one) {
            case NodeRecord record when other instanceof NodeRecord that -> same(record.crossing(), that.crossing());
            case Record record when one.getClass() == other.getClass() -> sameParts(record, (Record) other);
            case Optional<?> maybe
            when other instanceof Optional<?> that ->
                same(maybe.stream().toList(), that.stream().toList());
            case List<?> list
            when other instanceof List<?> that -> {
                boolean same = list.size() == that.size();
                for (int i = 0; same && i < list.size(); i++) same = same(list.get(i), that.get(i));
                yield same;
            }
            default -> one.equals(other);
        };
    }

    private static boolean sameParts(Record one, Record other) {
        try {
            for (RecordComponent component : one.getClass().getRecordComponents()) {
                component.getAccessor().setAccessible(true);
                if (!same(
                        component.getAccessor().invoke(one),
                        component.getAccessor().invoke(other))) return false;
            }
            return true;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
