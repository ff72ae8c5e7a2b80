package io.iwcm.cm.map;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What a disabled method does: as little as its type allows, so that what fails is the job, not the program. */
enum Instead {
    /**
     * Nothing; and returns nothing: no, zero, what it was given of the type it returns, itself, the state it was given, the
     * type's own word for nothing, or else null.
     */
    NOTHING("does nothing"),

    /** Nothing, and says yes. For predicates only, which must be missed either way. */
    YES("always says yes");

    private static final List<String> WORDS_FOR_NOTHING = List.of("NONE", "EMPTY");
    private static final Map<Class<?>, String> EMPTY_FACTORIES =
            Map.of(Optional.class, "empty", List.class, "of", Set.class, "of", Map.class, "of");

    private final String phrase;

    Instead(String phrase) {
        this.phrase = phrase;
    }

    String phrase() {
        return phrase;
    }

    /** All the ways to disable a method. */
    static List<Instead> of(Method method) {
        return method.getReturnType() == boolean.class ? List.of(NOTHING, YES) : List.of(NOTHING);
    }

    void write(CodeBuilder code, Method method) {
        Class<?> type = method.getReturnType();
        if (type == void.class) {
            code.return_();
        } else if (type.isPrimitive()) {
            writePrimitive(code, type);
        } else {
            writeReference(code, method);
            code.areturn();
        }
    }

    private void writePrimitive(CodeBuilder code, Class<?> type) {
        TypeKind kind = TypeKind.from(type);
        switch (kind.asLoadable()) {
            case LONG -> code.lconst_0();
            case FLOAT -> code.fconst_0();
            case DOUBLE -> code.dconst_0();
            default -> code.loadConstant(this == YES ? 1 : 0);
        }
        code.return_(kind);
    }

    private static void writeReference(CodeBuilder code, Method method) {
        Class<?> type = method.getReturnType();
        boolean instance = !Modifier.isStatic(method.getModifiers());
        int given = parameter(method, type);
        int turn = parameter(method, "io.iwcm.cm.proto.Turn");
        int state = parameter(method, "io.iwcm.cm.proto.CmState");
        Optional<Field> word = wordForNothing(method);
        if (given >= 0) {
            code.aload(code.parameterSlot(given));
        } else if (instance && type.isAssignableFrom(method.getDeclaringClass())) {
            code.aload(code.receiverSlot());
        } else if (type.getSimpleName().equals("Step") && turn >= 0 && state >= 0) {
            code.aload(code.parameterSlot(turn));
            code.aload(code.parameterSlot(state));
            ClassDesc from = ClassDesc.of("io.iwcm.cm.proto.Turn");
            ClassDesc takes = ClassDesc.of("io.iwcm.cm.proto.CmState");
            code.invokevirtual(
                    from, "to", MethodTypeDesc.of(type.describeConstable().orElseThrow(), takes));
        } else if (EMPTY_FACTORIES.containsKey(type)) {
            ClassDesc owner = type.describeConstable().orElseThrow();
            code.invokestatic(owner, EMPTY_FACTORIES.get(type), MethodTypeDesc.of(owner), type.isInterface());
        } else if (word.isPresent()) {
            ClassDesc owner = type.describeConstable().orElseThrow();
            code.getstatic(owner, word.get().getName(), owner);
        } else {
            code.aconst_null();
        }
    }

    private static int parameter(Method method, Class<?> type) {
        return List.of(method.getParameterTypes()).indexOf(type);
    }

    /** The first parameter of a type that is called so, or is one of those. */
    private static int parameter(Method method, String type) {
        Class<?>[] parameters = method.getParameterTypes();
        for (int i = 0; i < parameters.length; i++) {
            if (kinds(parameters[i]).anyMatch(kind -> kind.getName().equals(type))) {
                return i;
            }
        }
        return -1;
    }

    private static Stream<Class<?>> kinds(Class<?> type) {
        return Stream.concat(Stream.of(type), Stream.of(type.getInterfaces()).flatMap(Instead::kinds));
    }

    private static Optional<Field> wordForNothing(Method method) {
        Class<?> type = method.getReturnType();
        boolean near = type.getPackage() == method.getDeclaringClass().getPackage();
        return Stream.of(type.getDeclaredFields())
                .filter(field -> WORDS_FOR_NOTHING.contains(field.getName()) && field.getType() == type)
                .filter(field -> Modifier.isStatic(field.getModifiers()))
                .filter(field -> Modifier.isPublic(field.getModifiers()) && Modifier.isPublic(type.getModifiers())
                        || near && !Modifier.isPrivate(field.getModifiers()))
                .findFirst();
    }
}
