package io.iwcm.nic.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test over the captures in the directory that {@code -Diwcm.captures=DIR} names. Without that property it is skipped,
 * even under {@code -Diwcm.require=all}: the captures are not part of the project. */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Requirements.class)
public @interface RequiresCaptures {}
