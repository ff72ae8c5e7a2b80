package io.iwcm.cm.ops;

import org.slf4j.LoggerFactory;

/** When logging begins: before several threads ask for it at once, which SLF4J would complain about. */
final class Logging {

    private Logging() {}

    /** Commands that run no connection manager go without: to read its configuration is a fifth of their time. */
    static void start() {
        LoggerFactory.getILoggerFactory();
    }
}
