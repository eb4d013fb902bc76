/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.ratchet.e2e.chart.Chart.Rendered;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The roles say what the operator's own list of permissions says, and no more, where it is meant to apply. */
class ChartRolesTest {
    private static final Map<String, List<PolicyRule>> PERMISSIONS = permissions();
    private static final String ALL = "{watch: {allNamespaces: true}}";

    @Test
    void theChartHasThePermissionsOfTheOperator() {
        assertThat(Chart.read("helm/ratchet/files/permissions.yaml"))
                .as("write it by: cp operator/permissions.yaml helm/ratchet/files/")
                .isEqualTo(Chart.read("operator/permissions.yaml"));
    }

    @Test
    void theOperatorMayWorkInTheNamespaceOfTheReleaseAlone() {
        Rendered rendered = Chart.render("1.30.0", "{}");
        assertThat(operatorsRole(rendered).getRules()).isEqualTo(rules("cluster"));
        assertThat(rolesOf(rendered, "ratchet-operator"))
                .singleElement()
                .satisfies(role -> assertThat(role.getMetadata().getNamespace()).isEqualTo(Chart.NAMESPACE))
                .satisfies(role -> assertThat(role.getRules()).isEqualTo(rules("namespaced")));
    }

    @Test
    void theLeaderIsElectedInTheNamespaceOfTheRelease() {
        assertThat(rolesOf(Chart.render("1.30.0", ALL), "ratchet-operator-leader"))
                .singleElement()
                .satisfies(role -> assertThat(role.getMetadata().getNamespace()).isEqualTo(Chart.NAMESPACE))
                .satisfies(role -> assertThat(role.getRules()).isEqualTo(rules("operatorNamespace")));
    }

    @Test
    void itMayWorkInAllNamespacesOnlyWhenAskedTo() {
        Rendered rendered = Chart.render("1.30.0", ALL);
        assertThat(operatorsRole(rendered).getRules()).isEqualTo(rules("cluster", "namespaced"));
        assertThat(rolesOf(rendered, "ratchet-operator")).isEmpty();
    }

    @Test
    void withAListOfNamespacesItMayWorkInThoseAlone() {
        Rendered rendered = Chart.render("1.30.0", "{watch: {namespaces: [team-a, team-b]}}");
        assertThat(operatorsRole(rendered).getRules()).isEqualTo(rules("cluster"));
        List<Role> roles = rolesOf(rendered, "ratchet-operator");
        assertThat(roles).extracting(role -> role.getMetadata().getNamespace()).containsExactly("team-a", "team-b");
        assertThat(roles).allSatisfy(role -> assertThat(role.getRules()).isEqualTo(rules("namespaced")));
    }

    @Test
    void readingIsPartOfTheUsualRolesAndWritingOfThatOfAdministratorsAlone() {
        Rendered rendered = Chart.render("1.30.0", "{}");
        assertThat(aggregatedInto(rendered, "view")).containsExactly("admin", "edit", "view");
        assertThat(aggregatedInto(rendered, "edit")).containsExactly("admin");
        Rendered apart = Chart.render("1.30.0", "{rbac: {aggregate: false}}");
        assertThat(aggregatedInto(apart, "view")).isEmpty();
        assertThat(aggregatedInto(apart, "edit")).isEmpty();
        assertThat(verbs(rendered, "view")).containsOnly("get", "list", "watch");
        assertThat(verbs(rendered, "edit")).contains("create", "delete").doesNotContain("*");
    }

    @Test
    void certificatesOfCertManagerAreTouchedOnlyWhenAskedFor() {
        Rendered rendered = Chart.render("1.30.0", "{watch: {allNamespaces: true}, certificates: {certManager: true}}");
        assertThat(operatorsRole(rendered).getRules()).isEqualTo(rules("cluster", "namespaced", "certManager"));
    }

    @Test
    void everyBindingIsForTheOperatorAndNamesARoleThatIsThere() {
        Rendered rendered = Chart.render("1.30.0", "{watch: {namespaces: [team-a]}}");
        for (RoleBinding binding : rendered.all(RoleBinding.class)) {
            assertThat(binding.getSubjects()).singleElement().satisfies(subject -> {
                assertThat(subject.getName()).isEqualTo("ratchet-operator");
                assertThat(subject.getNamespace()).isEqualTo(Chart.NAMESPACE);
            });
            assertThat(rendered.all(Role.class))
                    .anyMatch(role -> role.getMetadata()
                                    .getName()
                                    .equals(binding.getRoleRef().getName())
                            && role.getMetadata()
                                    .getNamespace()
                                    .equals(binding.getMetadata().getNamespace()));
        }
        assertThat(rendered.only(ClusterRoleBinding.class).getRoleRef().getName())
                .isEqualTo(operatorsRole(rendered).getMetadata().getName());
    }

    @Test
    void noRoleOfTheOperatorHasAWildcard() {
        for (PolicyRule rule : rules("cluster", "namespaced", "certManager", "operatorNamespace")) {
            assertThat(Stream.of(rule.getApiGroups(), rule.getResources(), rule.getVerbs())
                            .flatMap(List::stream))
                    .doesNotContain("*", "escalate", "bind", "impersonate", "deletecollection");
        }
    }

    @Test
    void nothingIsMadeWhenSomebodyElseMakesTheRoles() {
        Rendered rendered = Chart.render("1.30.0", "{rbac: {create: false}}");
        assertThat(rendered.all(ClusterRole.class)).isEmpty();
        assertThat(rendered.all(Role.class)).isEmpty();
    }

    private static ClusterRole operatorsRole(Rendered rendered) {
        return clusterRole(rendered, "operator");
    }

    private static ClusterRole clusterRole(Rendered rendered, String suffix) {
        return rendered.all(ClusterRole.class).stream()
                .filter(role -> role.getMetadata().getName().endsWith("-" + suffix))
                .findFirst()
                .orElseThrow();
    }

    private static List<Role> rolesOf(Rendered rendered, String name) {
        return rendered.all(Role.class).stream()
                .filter(role -> role.getMetadata().getName().equals(name))
                .toList();
    }

    private static List<String> aggregatedInto(Rendered rendered, String suffix) {
        String prefix = "rbac.authorization.k8s.io/aggregate-to-";
        return clusterRole(rendered, suffix).getMetadata().getLabels().keySet().stream()
                .filter(label -> label.startsWith(prefix))
                .map(label -> label.substring(prefix.length()))
                .sorted()
                .toList();
    }

    private static List<String> verbs(Rendered rendered, String suffix) {
        return clusterRole(rendered, suffix).getRules().stream()
                .flatMap(rule -> rule.getVerbs().stream())
                .toList();
    }

    private static List<PolicyRule> rules(String... sections) {
        return Stream.of(sections)
                .flatMap(section -> PERMISSIONS.get(section).stream())
                .toList();
    }

    private static Map<String, List<PolicyRule>> permissions() {
        try {
            return new ObjectMapper(new YAMLFactory())
                    .readValue(
                            Chart.read("operator/permissions.yaml"),
                            new TypeReference<Map<String, List<PolicyRule>>>() {});
        } catch (JsonProcessingException problem) {
            throw new IllegalStateException(problem);
        }
    }
}
