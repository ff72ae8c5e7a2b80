package io.iwcm.cm.map;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Optional;

/** Loads the classes of the project anew, but without what one of its methods does. The rest is as it was. */
final class Disabled extends ClassLoader {

    private static final String PROJECT = "io.iwcm.";
    private static final String THIS_PACKAGE = Disabled.class.getPackageName();

    private final Optional<Method> disabled;
    private final Instead instead;

    private Disabled(ClassLoader parent, Optional<Method> disabled, Instead instead) {
        super(parent);
        this.disabled = disabled;
        this.instead = instead;
    }

    static ClassLoader nothing(ClassLoader parent) {
        return new Disabled(parent, Optional.empty(), Instead.NOTHING);
    }

    /** @param instead what the method does from now on */
    static ClassLoader method(ClassLoader parent, Method method, Instead instead) {
        return new Disabled(parent, Optional.of(method), instead);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(PROJECT)
                || name.substring(0, name.lastIndexOf('.')).equals(THIS_PACKAGE)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] original = bytes(name);
        boolean concerned =
                disabled.map(m -> m.getDeclaringClass().getName().equals(name)).orElse(false);
        byte[] bytes = concerned ? without(original, disabled.orElseThrow()) : original;
        return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] bytes(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] without(byte[] original, Method method) {
        ClassFile file = ClassFile.of();
        ClassModel model = file.parse(original);
        return file.transformClass(
                model, ClassTransform.transformingMethods(candidate -> isIt(candidate, method), (builder, element) -> {
                    if (element instanceof CodeModel) {
                        builder.withCode(code -> instead.write(code, method));
                    } else {
                        builder.with(element);
                    }
                }));
    }

    private static boolean isIt(MethodModel candidate, Method method) {
        MethodType type = MethodType.methodType(method.getReturnType(), method.getParameterTypes());
        return candidate.methodName().equalsString(method.getName())
                && candidate.methodType().equalsString(type.descriptorString());
    }
}
