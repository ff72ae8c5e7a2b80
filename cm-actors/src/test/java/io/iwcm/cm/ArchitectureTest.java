package io.iwcm.cm;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import com.typesafe.config.Config;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.concurrent.TimeUnit;

/** The rooms of both modules and what each must not touch. A rule's name is the sentence it enforces. */
@AnalyzeClasses(
        packages = "io.iwcm",
        importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.WithoutTestkit.class})
class ArchitectureTest {

    private static final String WIRE = "io.iwcm.nic.wire..";
    private static final String LINK = "io.iwcm.nic.link..";
    private static final String STEER = "io.iwcm.nic.steer..";
    private static final String QP = "io.iwcm.nic.qp..";
    private static final String RNIC = "io.iwcm.nic.rnic..";
    private static final String SPI = "io.iwcm.nic.spi..";
    private static final String BRIDGE = "io.iwcm.nic.bridge..";
    private static final String MPA = "io.iwcm.cm.mpa..";
    private static final String PROTO = "io.iwcm.cm.proto..";
    private static final String ACTOR = "io.iwcm.cm.actor..";
    private static final String CLUSTER = "io.iwcm.cm.cluster..";
    private static final String API = "io.iwcm.cm.api..";
    private static final String ANALYZE = "io.iwcm.cm.analyze..";
    private static final String OPS = "io.iwcm.cm.ops..";
    private static final String EXAMPLES = "io.iwcm.cm.examples..";
    private static final String TRACE = "io.iwcm.cm.trace..";
    private static final String METRICS = "io.iwcm.cm.metrics..";
    private static final String HTTP = "io.iwcm.cm.http..";

    private static final String SETTINGS = "io.iwcm.nic.settings..";

    private static final DescribedPredicate<HasName> READS_SETTINGS =
            nameMatching("io\\.iwcm\\.(nic\\.bridge\\.Nic|cm\\.ops\\.Cm)\\w*Settings(\\$.*)?");

    private static final String PEKKO = "org.apache.pekko..";

    private static final String[] WALKS = {"keySet", "values", "entrySet", "forEach", "iterator", "stream", "removeIf"};

    // Rooms

    @ArchTest
    static final ArchRule the_nic_side_does_not_know_the_connection_side =
            none("io.iwcm.nic..").should().dependOnClassesThat(resideInAnyPackage("io.iwcm.cm.."));

    @ArchTest
    static final ArchRule the_wire_knows_nobody = classes()
            .that()
            .resideInAPackage(WIRE)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(WIRE, "java..", "org.jspecify.annotations"));

    @ArchTest
    static final ArchRule the_nic_below_the_bridge_knows_no_actors =
            none(LINK, STEER, QP, RNIC, SPI).should().dependOnClassesThat(resideInAnyPackage(PEKKO, BRIDGE));

    @ArchTest
    static final ArchRule the_protocol_knows_no_actors_and_no_links =
            none(MPA, PROTO).should().dependOnClassesThat(resideInAnyPackage(PEKKO, LINK, BRIDGE, ACTOR, CLUSTER, API));

    @ArchTest
    static final ArchRule the_mpa_codec_does_not_know_the_machine_that_uses_it =
            none(MPA).should().dependOnClassesThat(resideInAnyPackage(PROTO));

    @ArchTest
    static final ArchRule actors_and_cluster_know_no_http_and_no_command_line = none(BRIDGE, ACTOR, CLUSTER, API)
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage("org.apache.pekko.http..", "org.apache.pekko.management..", "picocli.."))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule the_analysis_of_captures_knows_frames_and_formats_only = none(ANALYZE)
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                    PEKKO, STEER, RNIC, BRIDGE, PROTO, ACTOR, CLUSTER, API, "picocli..", "com.fasterxml.."));

    @ArchTest
    static final ArchRule nobody_knows_operations =
            outsidePrograms().should().dependOnClassesThat(resideInAnyPackage(OPS));

    @ArchTest
    static final ArchRule nobody_knows_the_examples = noClasses()
            .that()
            .resideOutsideOfPackage(EXAMPLES)
            .should()
            .dependOnClassesThat(resideInAnyPackage(EXAMPLES));

    @ArchTest
    static final ArchRule nobody_but_operations_knows_who_watches = noClasses()
            .that()
            .resideOutsideOfPackages(OPS, TRACE, HTTP)
            .should()
            .dependOnClassesThat(resideInAnyPackage(TRACE));

    @ArchTest
    static final ArchRule nobody_but_operations_knows_what_is_measured = noClasses()
            .that()
            .resideOutsideOfPackages(OPS, HTTP, METRICS)
            .should()
            .dependOnClassesThat(resideInAnyPackage(METRICS));

    @ArchTest
    static final ArchRule micrometer_is_known_to_the_metrics_alone = noClasses()
            .that()
            .resideOutsideOfPackage(METRICS)
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.micrometer..", "io.prometheus.."));

    @ArchTest
    static final ArchRule nobody_but_operations_knows_the_http_api = noClasses()
            .that()
            .resideOutsideOfPackages(OPS, HTTP)
            .should()
            .dependOnClassesThat(resideInAnyPackage(HTTP));

    @ArchTest
    static final ArchRule the_http_api_knows_no_command_line_and_no_settings_file =
            none(HTTP).should().dependOnClassesThat(resideInAnyPackage("picocli..", "com.typesafe.config..", QP));

    @ArchTest
    static final ArchRule nobody_but_the_http_api_speaks_http = noClasses()
            .that()
            .resideOutsideOfPackages(HTTP)
            .should()
            .dependOnClassesThat(resideInAnyPackage("org.apache.pekko.http..", "com.fasterxml.jackson.databind.."));

    @ArchTest
    static final ArchRule packages_form_no_cycle =
            slices().matching("io.iwcm.(*).(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule frames_are_passed_on_without_asking = none(BRIDGE, ACTOR)
            .should()
            .accessTargetWhere(calls("ask", "org.apache.pekko.actor.typed.javadsl.AskPattern", "ask", "askWithStatus")
                    .or(calls("ask", "org.apache.pekko.actor.typed.javadsl.ActorContext", "ask", "askWithStatus")))
            .allowEmptyShould(true);

    // Cores: pure functions and sans-IO machines

    @ArchTest
    static final ArchRule the_core_reads_no_clock = timeless()
            .should()
            .accessTargetWhere(calls("a clock", "java.lang.System", "nanoTime", "currentTimeMillis")
                    .or(calls("a clock", "java.time..", "now", "tick", "system", "systemUTC", "systemDefaultZone"))
                    .or(calls("a clock", "java.util.Date", "<init>")));

    @ArchTest
    static final ArchRule the_core_knows_no_thread = timeless()
            .should()
            .dependOnClassesThat(resideInAPackage("java.util.concurrent..")
                    .or(belongToAnyOf(Thread.class, ThreadLocal.class, Timer.class))
                    .and(not(belongToAnyOf(TimeUnit.class))));

    @ArchTest
    static final ArchRule the_core_opens_no_socket_and_no_file = core().should()
            .dependOnClassesThat(resideInAnyPackage(
                            "java.net..", "java.nio.channels..", "java.nio.file..", "java.lang.foreign..", LINK)
                    .and(not(belongToAnyOf(
                            InetAddress.class, Inet4Address.class, Inet6Address.class, UnknownHostException.class))));

    @ArchTest
    static final ArchRule the_core_knows_no_source_of_randomness = timeless()
            .should()
            .dependOnClassesThat(resideInAPackage("java.util.random..")
                    .or(belongToAnyOf(Random.class, SecureRandom.class, SplittableRandom.class)));

    @ArchTest
    static final ArchRule the_core_draws_no_random_number = timeless()
            .should()
            .accessTargetWhere(calls("chance", "java.util.UUID", "randomUUID")
                    .or(calls("chance", "java.lang.Math", "random"))
                    .or(calls("chance", "java.util.Collections", "shuffle")));

    @ArchTest
    static final ArchRule the_core_logs_nothing = timeless()
            .should()
            .dependOnClassesThat(resideInAnyPackage("org.slf4j..", "ch.qos.logback..", "java.util.logging..")
                    .or(belongToAnyOf(System.Logger.class)));

    @ArchTest
    static final ArchRule the_core_reads_no_settings =
            core().should().dependOnClassesThat(resideInAPackage("com.typesafe.config.."));

    /** The order of a hash table is nobody's decision: LinkedHashMap, TreeMap, EnumMap or a list have one. */
    @ArchTest
    static final ArchRule the_core_has_no_hash_ordered_collection = none(WIRE, QP, MPA, PROTO)
            .should()
            .accessTargetWhere(calls("hash order", "java.util.HashMap", "<init>", "newHashMap")
                    .or(calls("hash order", "java.util.HashSet", "<init>", "newHashSet"))
                    .or(calls("hash order", "java.util.IdentityHashMap", "<init>"))
                    .or(calls("hash order", "java.util.WeakHashMap", "<init>"))
                    .or(calls("hash order", "java.util.Map", "of", "ofEntries", "copyOf"))
                    .or(calls("hash order", "java.util.Set", "of", "copyOf"))
                    .or(calls("hash order", "java.util.stream.Collectors", "toSet", "toMap", "groupingBy")));

    /** Steering may look up by hash; it walks through its tables in an order of its own. */
    @ArchTest
    static final ArchRule steering_walks_through_no_hash_table = none(STEER, RNIC)
            .should()
            .accessTargetWhere(calls("hash order", "java.util.HashMap", WALKS)
                    .or(calls("hash order", "java.util.HashSet", WALKS))
                    .or(calls("hash order", "java.util.stream.Collectors", "toSet", "toMap", "groupingBy")))
            .allowEmptyShould(true);

    /** So that the rule above can see what is walked through. */
    @ArchTest
    static final ArchRule steering_declares_which_kind_of_table_it_has = noFields()
            .that()
            .areDeclaredInClassesThat()
            .resideInAPackage(STEER)
            .should()
            .haveRawType(belongToAnyOf(Map.class, Set.class, Collection.class))
            .allowEmptyShould(true);

    // Everywhere

    @ArchTest
    static final ArchRule settings_are_read_in_one_place_per_module = noClasses()
            .that(not(READS_SETTINGS.<JavaClass>forSubtype().or(resideInAPackage(SETTINGS))))
            .should()
            .accessTargetWhere(describe(
                    "a setting is read",
                    access -> access.getTargetOwner().isAssignableTo(Config.class)
                            && access.getName().matches("(get|has|is).*|entrySet|root")))
            .orShould()
            .dependOnClassesThat(name("io.iwcm.nic.settings.SettingsReader"));

    @ArchTest
    static final ArchRule only_programs_end_the_process = outsidePrograms()
            .should()
            .accessTargetWhere(calls("the end", "java.lang.System", "exit")
                    .or(calls("the end", "java.lang.Runtime", "exit", "halt")));

    @ArchTest
    static final ArchRule only_programs_print = outsidePrograms().should(ACCESS_STANDARD_STREAMS);

    @ArchTest
    static final ArchRule nobody_uses_java_util_logging =
            noClasses().should().dependOnClassesThat(resideInAPackage("java.util.logging.."));

    private static GivenClassesConjunction none(String... rooms) {
        return noClasses().that().resideInAnyPackage(rooms);
    }

    private static GivenClassesConjunction outsidePrograms() {
        return noClasses().that().resideOutsideOfPackages(OPS, EXAMPLES);
    }

    /** The cores, and what reads no clock but that of a capture. */
    private static GivenClassesConjunction timeless() {
        return none(WIRE, STEER, QP, RNIC, MPA, PROTO, ANALYZE);
    }

    private static GivenClassesConjunction core() {
        return none(WIRE, STEER, QP, RNIC, MPA, PROTO);
    }

    /** Calls and method references alike; the owner is a class, or a package that ends in two dots. */
    private static DescribedPredicate<JavaAccess<?>> calls(String what, String owner, String... names) {
        Set<String> wanted = Set.of(names);
        return describe(what + " (" + owner + "." + String.join("/", names) + ")", access -> {
            JavaClass target = access.getTargetOwner();
            boolean owned = owner.endsWith("..")
                    ? resideInAPackage(owner).test(target)
                    : target.getName().equals(owner);
            return owned && wanted.contains(access.getName());
        });
    }

    /** In a full build the testkit comes as a jar, which is no test folder. */
    static final class WithoutTestkit implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/testkit/");
        }
    }
}
