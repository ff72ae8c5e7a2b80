package io.iwcm.nic.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test that runs these programs, found on the {@code PATH} or in {@code /usr/sbin} and {@code /sbin}. */
@Documented
@Inherited
@Repeatable(RequiresTool.All.class)
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Requirements.class)
public @interface RequiresTool {

    String[] value();

    /** Several at once, as when one of them comes by way of another annotation. */
    @Documented
    @Inherited
    @Target({ElementType.TYPE, ElementType.METHOD})
    @Retention(RetentionPolicy.RUNTIME)
    @ExtendWith(Requirements.class)
    @interface All {
        RequiresTool[] value();
    }
}
