/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.structure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.MethodCallTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Arrows between modules point one way (ARCHITECTURE.md), and protocol code takes time and threads from outside. */
class ArchitectureTest {

    /** Each module, and the modules that it may know. A module that is not here has no rule and fails the build. */
    private static final Map<String, Set<String>> ARROWS = Map.ofEntries(
            Map.entry("crds", Set.of()),
            Map.entry("protocol", Set.of()),
            Map.entry("environment", Set.of()),
            Map.entry("client", Set.of()),
            Map.entry("circuits", Set.of()),
            Map.entry("store", Set.of("environment", "protocol")),
            Map.entry("membership", Set.of("environment", "protocol", "store")),
            Map.entry("futures-model", Set.of("environment", "protocol", "client")),
            Map.entry("futures-client", Set.of("environment", "protocol", "client", "futures-model")),
            Map.entry(
                    "futures-worker",
                    Set.of(
                            "environment",
                            "protocol",
                            "store",
                            "membership",
                            "client",
                            "futures-model",
                            "futures-client")),
            Map.entry("dataflow", Set.of("environment", "protocol", "store", "membership", "circuits")),
            Map.entry(
                    "dataflow-http", Set.of("environment", "protocol", "store", "membership", "circuits", "dataflow")),
            Map.entry(
                    "feeds",
                    Set.of(
                            "environment",
                            "protocol",
                            "store",
                            "membership",
                            "client",
                            "circuits",
                            "dataflow",
                            "futures-model",
                            "futures-client",
                            "futures-worker")),
            Map.entry(
                    "cli",
                    Set.of(
                            "environment",
                            "protocol",
                            "store",
                            "membership",
                            "client",
                            "futures-model",
                            "futures-client",
                            "futures-worker",
                            "circuits")),
            Map.entry(
                    "worker",
                    Set.of(
                            "environment",
                            "protocol",
                            "store",
                            "membership",
                            "client",
                            "circuits",
                            "dataflow",
                            "dataflow-http",
                            "feeds",
                            "futures-model",
                            "futures-client",
                            "futures-worker")),
            Map.entry(
                    "bench",
                    Set.of(
                            "environment",
                            "protocol",
                            "store",
                            "membership",
                            "client",
                            "futures-model",
                            "futures-client",
                            "futures-worker",
                            "circuits",
                            "dataflow")),
            Map.entry(
                    "simulation",
                    Set.of(
                            "environment",
                            "protocol",
                            "store",
                            "membership",
                            "client",
                            "futures-model",
                            "futures-client",
                            "futures-worker",
                            "circuits",
                            "dataflow",
                            "feeds")),
            Map.entry("operator", Set.of("protocol", "crds")),
            Map.entry("local", Set.of("crds")),
            Map.entry("e2e", Set.of("crds", "protocol", "client")),
            Map.entry("word-count", Set.of("client")),
            Map.entry("sessions", Set.of("client")),
            Map.entry("invoices", Set.of("client")),
            Map.entry("spending", Set.of("circuits")));

    /** The module that has nothing but tests. */
    private static final String TESTS_ALONE = "e2e";

    private static final Set<String> PROTOCOL_MODULES = Set.of(
            "environment",
            "store",
            "membership",
            "dataflow",
            "futures-model",
            "futures-client",
            "futures-worker",
            "feeds");

    /**
     * The packages of futures-worker below {@code dev.ratchet.futures}, from the top: each knows only those after it.
     */
    private static final List<String> LAYERS_OF_FUTURES = List.of(
            "",
            ".gateway",
            ".worker",
            ".upkeep",
            ".submit",
            ".execute",
            ".claim",
            ".recover",
            ".settle",
            ".isolation",
            ".nesting",
            ".check",
            ".collect",
            ".generator",
            ".session",
            ".actor",
            ".artifact",
            ".queue",
            ".object",
            ".log",
            ".record");

    private static final SliceAssignment EACH_PACKAGE = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    };

    private static final Map<String, JavaClasses> IMPORTED = new HashMap<>();
    private static final Map<String, Set<String>> PACKAGES = new HashMap<>();

    /** The rules are about names, which a module's own classes hold: those that they name need not be read. */
    @BeforeAll
    static void readNoOtherClasses() {
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
    }

    @AfterAll
    static void forget() {
        IMPORTED.clear();
        PACKAGES.clear();
        ArchConfiguration.get().reset();
    }

    private static JavaClasses classesOf(String module) {
        return IMPORTED.computeIfAbsent(module, name -> {
            Path classes = Checkout.modules()
                    .get(name)
                    .resolve(name.equals(TESTS_ALONE) ? "target/test-classes" : "target/classes");
            assertThat(classes).as("build the module first").matches(Files::isDirectory);
            return new ClassFileImporter().importPath(classes);
        });
    }

    static Set<String> modules() {
        return Checkout.modules().keySet();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void aModuleKnowsOnlyTheModulesItsArrowsPointTo(String name) {
        assertThat(ARROWS).as("modules with a rule").containsKey(name);
        String[] forbidden = ARROWS.keySet().stream()
                .filter(other -> !other.equals(name))
                .filter(other -> !ARROWS.get(name).contains(other))
                .flatMap(other -> packagesOf(other).stream())
                .filter(other -> !packagesOf(name).contains(other))
                .toArray(String[]::new);
        noClasses().should().dependOnClassesThat().resideInAnyPackage(forbidden).check(classesOf(name));
    }

    @ParameterizedTest
    @MethodSource("modules")
    void packagesOfAModuleKnowEachOtherInOneDirection(String name) {
        SlicesRuleDefinition.slices()
                .assignedFrom(EACH_PACKAGE)
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true)
                .check(classesOf(name));
    }

    @Test
    void packagesOfFuturesKnowOnlyThoseBelowThem() {
        List<String> layers =
                LAYERS_OF_FUTURES.stream().map("dev.ratchet.futures"::concat).toList();
        assertThat(packagesOf("futures-worker")).as("packages with a layer").isSubsetOf(layers);
        for (int layer = 1; layer < layers.size(); layer++) {
            noClasses()
                    .that()
                    .resideInAPackage(layers.get(layer))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(layers.subList(0, layer).toArray(String[]::new))
                    .check(classesOf("futures-worker"));
        }
    }

    @Test
    void theClientApiDependsOnNothingButJava() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.ratchet.client..", "java..", "org.jspecify.annotations..")
                .check(classesOf("client"));
    }

    @Test
    void nothingOfTheWorkerImageKnowsKubernetes() {
        for (String name : List.of(
                "environment",
                "protocol",
                "store",
                "membership",
                "client",
                "circuits",
                "dataflow",
                "dataflow-http",
                "futures-model",
                "futures-client",
                "futures-worker",
                "feeds",
                "cli",
                "worker",
                "simulation")) {
            noClasses()
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("io.fabric8..", "io.javaoperatorsdk..")
                    .check(classesOf(name));
        }
    }

    @ParameterizedTest
    @MethodSource("protocolModules")
    void protocolCodeTakesTimeThreadsAndRandomnessFromOutside(String name) {
        noClasses()
                .that(DescribedPredicate.describe("take their environment", ArchitectureTest::takesItsEnvironment))
                .should()
                .callMethodWhere(DescribedPredicate.describe("takes a clock or sleeps", ArchitectureTest::isAmbient))
                .check(classesOf(name));
    }

    static Set<String> protocolModules() {
        return PROTOCOL_MODULES;
    }

    /** The one production implementation of the environment is where real time comes in. */
    private static boolean takesItsEnvironment(JavaClass type) {
        return !type.getName().startsWith("dev.ratchet.environment.SystemEnvironment");
    }

    private static boolean isAmbient(JavaMethodCall call) {
        MethodCallTarget target = call.getTarget();
        String owner = target.getOwner().getName();
        return switch (owner) {
            case "java.lang.System" -> Set.of("nanoTime", "currentTimeMillis").contains(target.getName());
            case "java.lang.Thread" -> target.getName().equals("sleep");
            case "java.time.Instant", "java.time.LocalDateTime", "java.time.ZonedDateTime" ->
                target.getName().equals("now") && target.getRawParameterTypes().isEmpty();
            case "java.util.UUID" -> target.getName().equals("randomUUID");
            case "java.lang.Math" -> target.getName().equals("random");
            case "java.util.concurrent.ThreadLocalRandom" -> target.getName().equals("current");
            default -> false;
        };
    }

    private static Set<String> packagesOf(String module) {
        return PACKAGES.computeIfAbsent(
                module,
                name -> classesOf(name).stream().map(JavaClass::getPackageName).collect(Collectors.toSet()));
    }
}
