/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.cel.bundle.Cel;
import dev.cel.bundle.CelFactory;
import dev.cel.common.types.SimpleType;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import io.fabric8.kubernetes.client.CustomResource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Evaluates every CEL rule of the definitions on objects that it must accept and objects that it must reject. */
class RulesTest {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final Cel CEL = CelFactory.plannerCelBuilder()
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addCompilerLibraries(CelExtensions.strings())
            .addRuntimeLibraries(CelExtensions.strings())
            .addVar("self", SimpleType.DYN)
            .addVar("oldSelf", SimpleType.DYN)
            .build();

    /** Members of self or oldSelf, without the methods called on them. */
    private static final Pattern MEMBER = Pattern.compile("\\b(?:self|oldSelf)((?:\\.[A-Za-z]+\\b(?!\\())+)");

    /** One rule of a definition and where it stands. */
    record Rule(String kind, String path, String expression, String message) {
        boolean aboutAChange() {
            return expression.contains("oldSelf");
        }

        boolean holds(Object self, Object oldSelf) throws Exception {
            return (Boolean)
                    CEL.createProgram(CEL.compile(expression).getAst()).eval(Map.of("self", self, "oldSelf", oldSelf));
        }
    }

    /** The objects that one rule is tried on; changes are pairs of old and new. */
    record Cases(
            String kind,
            String path,
            String message,
            List<Object> accepts,
            List<Object> rejects,
            List<List<Object>> acceptsChanges,
            List<List<Object>> rejectsChanges) {
        boolean areOf(Rule rule) {
            return kind.equals(rule.kind())
                    && path.equals(rule.path())
                    && rule.message().contains(message);
        }
    }

    @TestFactory
    Stream<DynamicTest> eachRuleAcceptsWhatItShouldAndRejectsTheRest() throws IOException {
        List<Cases> cases = cases();
        return rules().stream()
                .map(rule -> DynamicTest.dynamicTest(rule.kind() + " " + rule.path() + ": " + rule.message(), () -> {
                    List<Cases> own =
                            cases.stream().filter(some -> some.areOf(rule)).toList();
                    assertThat(own).as("cases in rules.yaml for %s", rule).hasSize(1);
                    evaluate(rule, own.getFirst());
                }));
    }

    @Test
    void eachEntryOfTheCasesBelongsToARule() throws IOException {
        List<Rule> rules = rules();
        assertThat(cases()).allSatisfy(some -> assertThat(rules).anyMatch(some::areOf));
    }

    /** The evaluation here is untyped and would take a misspelled member for an absent one; an API server would not. */
    @Test
    void everyMemberThatARuleNamesExists() {
        for (Class<? extends CustomResource<?, ?>> resource : GeneratedFiles.RESOURCES) {
            JsonNode root = DefinitionGenerator.definition(resource).at("/spec/versions/0/schema/openAPIV3Schema");
            for (Rule rule : rules()) {
                if (rule.kind().equals(resource.getSimpleName())) {
                    assertMembersExist(rule, at(root, rule.path()));
                }
            }
        }
    }

    private static void assertMembersExist(Rule rule, JsonNode schema) {
        Matcher names = MEMBER.matcher(rule.expression());
        while (names.find()) {
            JsonNode node = schema;
            for (String name : names.group(1).substring(1).split("\\.", -1)) {
                boolean ofEveryObject = rule.path().isEmpty() && (name.equals("metadata") || name.equals("name"));
                node = node.path("properties").path(name);
                assertThat(ofEveryObject || node.isObject())
                        .as("%s of %s", names.group(), rule)
                        .isTrue();
            }
        }
    }

    private static JsonNode at(JsonNode root, String path) {
        JsonNode node = root;
        for (String name : path.isEmpty() ? new String[0] : path.split("\\.", -1)) {
            boolean list = name.endsWith("[]");
            node = node.path("properties").path(list ? name.substring(0, name.length() - 2) : name);
            node = list ? node.path("items") : node;
        }
        return node;
    }

    /**
     * An API server runs the rules of an object against its default as it is written, without the defaults below it.
     */
    @Test
    void everyDefaultKeepsTheRulesBesideIt() throws Exception {
        int tried = 0;
        for (Class<? extends CustomResource<?, ?>> resource : GeneratedFiles.RESOURCES) {
            JsonNode root = DefinitionGenerator.definition(resource).at("/spec/versions/0/schema/openAPIV3Schema");
            for (Rule rule : rules()) {
                JsonNode initial = at(root, rule.path()).path("default");
                if (rule.kind().equals(resource.getSimpleName()) && !rule.aboutAChange() && initial.isObject()) {
                    Object self = YAML.convertValue(initial, Map.class);
                    assertThat(rule.holds(self, self))
                            .as("%s on %s", rule, self)
                            .isTrue();
                    tried++;
                }
            }
        }
        assertThat(tried).isPositive();
    }

    @Test
    void noRuleStandsTwiceAtOnePlace() {
        assertThat(rules()).doesNotHaveDuplicates();
    }

    private static void evaluate(Rule rule, Cases cases) throws Exception {
        if (rule.aboutAChange()) {
            assertThat(cases.acceptsChanges()).isNotEmpty();
            assertThat(cases.rejectsChanges()).isNotEmpty();
            for (List<Object> change : cases.acceptsChanges()) {
                assertThat(rule.holds(change.get(1), change.get(0)))
                        .as("%s on %s", rule, change)
                        .isTrue();
            }
            for (List<Object> change : cases.rejectsChanges()) {
                assertThat(rule.holds(change.get(1), change.get(0)))
                        .as("%s on %s", rule, change)
                        .isFalse();
            }
        } else {
            assertThat(cases.accepts()).isNotEmpty();
            assertThat(cases.rejects()).isNotEmpty();
            for (Object self : cases.accepts()) {
                assertThat(rule.holds(self, Map.of()))
                        .as("%s on %s", rule, self)
                        .isTrue();
            }
            for (Object self : cases.rejects()) {
                assertThat(rule.holds(self, Map.of()))
                        .as("%s on %s", rule, self)
                        .isFalse();
            }
        }
    }

    private static List<Cases> cases() throws IOException {
        List<Cases> cases =
                YAML.readValue(RulesTest.class.getResourceAsStream("rules.yaml"), new TypeReference<List<Cases>>() {});
        return cases;
    }

    private static List<Rule> rules() {
        List<Rule> rules = new ArrayList<>();
        for (Class<? extends CustomResource<?, ?>> resource : GeneratedFiles.RESOURCES) {
            JsonNode root = DefinitionGenerator.definition(resource).at("/spec/versions/0/schema/openAPIV3Schema");
            collect(root, resource.getSimpleName(), "", rules);
        }
        return rules;
    }

    private static void collect(JsonNode schema, String kind, String path, List<Rule> rules) {
        for (JsonNode rule : schema.path("x-kubernetes-validations")) {
            rules.add(new Rule(
                    kind, path, rule.path("rule").asText(), rule.path("message").asText()));
        }
        schema.path("properties")
                .properties()
                .forEach(property -> collect(
                        property.getValue(),
                        kind,
                        path.isEmpty() ? property.getKey() : path + "." + property.getKey(),
                        rules));
        if (schema.has("items")) {
            collect(schema.path("items"), kind, path + "[]", rules);
        }
    }
}
