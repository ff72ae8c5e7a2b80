package io.iwcm.cm.ops;

import java.nio.file.Files;
import java.nio.file.Path;

/** The source tree that the tests run in, whichever module they were started from. */
final class Checkout {

    private Checkout() {}

    static Path root() {
        return Files.isDirectory(Path.of("docs")) ? Path.of("") : Path.of("..");
    }
}
