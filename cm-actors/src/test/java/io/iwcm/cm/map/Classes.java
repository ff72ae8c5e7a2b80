package io.iwcm.cm.map;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;

/** The classes of both modules and of both modules' tests. */
final class Classes {

    private static final String TEST_OF_NIC_BRIDGE = "io.iwcm.nic.wire.ChecksumTest";

    private Classes() {}

    /** This class path, and the tests of nic-bridge, which are not on that of cm-actors in the build. */
    static ClassLoader all() {
        ClassLoader here = Classes.class.getClassLoader();
        if (here.getResource(TEST_OF_NIC_BRIDGE.replace('.', '/') + ".class") != null) {
            return here;
        }
        Path tests = IrdmaMap.root().resolve("nic-bridge/target/test-classes");
        if (!Files.isDirectory(tests)) {
            throw new IllegalStateException("the tests of nic-bridge are not compiled: there is no " + tests);
        }
        try {
            return new URLClassLoader(new URL[] {tests.toUri().toURL()}, here);
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether a class of {@link #all} is one of the tests'. */
    static boolean isOfTests(Class<?> type) {
        try {
            CodeSource from = source(type);
            return from.equals(source(Classes.class))
                    || from.equals(source(Class.forName(TEST_OF_NIC_BRIDGE, false, all())));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static CodeSource source(Class<?> type) {
        return type.getProtectionDomain().getCodeSource();
    }
}
