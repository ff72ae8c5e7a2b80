package io.iwcm.nic.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test against Linux's own soft-iWARP, in the guest that the script {@code -Diwcm.siw=FILE} runs. Without that property
 * it is skipped, even under {@code -Diwcm.require=all}: building the guest is not part of a plain build. */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Requirements.class)
public @interface RequiresSiw {}
