package io.iwcm.cm.ops;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** SIGHUP. The class for signals is not part of Java SE: where it is missing, the signal ends the process as ever. */
final class HangUp {

    private HangUp() {}

    /** From here on the signal runs this, on a thread of its own, instead of ending the process. */
    static void runs(Runnable task) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object ours = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, (_, method, _) -> {
                if (method.getName().equals("handle"))
                    Thread.ofVirtual().name("iwcm-reload").start(task);
                return null;
            });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), ours);
        } catch (ClassNotFoundException | NoSuchMethodException | InvocationTargetException e) {
            return; // No such class, or no such signal on this system, or -Xrs: nothing is reloaded by it then.
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("signals cannot be handled", e);
        }
    }
}
