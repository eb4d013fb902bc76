/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.RequestBody;
import dev.ratchet.local.apiserver.schema.Schema;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Laws of the sets of fields that apply rests on, over random objects. */
class FieldOwnershipTest {

    private static final Schema SCHEMA = Schema.of(RequestBody.parse("""
                    type: object
                    properties:
                      a: {type: string}
                      map: {type: object, additionalProperties: {type: string}}
                      set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
                      atomic: {type: array, items: {type: string}}
                      items:
                        type: array
                        x-kubernetes-list-type: map
                        x-kubernetes-list-map-keys: [name]
                        items: {type: object, properties: {name: {type: string}, x: {type: string}, y: {type: string}}}
                    """.getBytes(StandardCharsets.UTF_8)), Map.of());

    private static ObjectNode random(SplittableRandom random) {
        ObjectNode object = Json.object();
        object.put("a", word(random));
        if (random.nextBoolean()) {
            ObjectNode map = object.putObject("map");
            map.put("k" + random.nextInt(3), word(random)).put("k" + random.nextInt(3), word(random));
        }
        for (String list : new String[] {"set", "atomic"}) {
            if (random.nextBoolean()) {
                ArrayNode array = object.putArray(list);
                for (int i = 0; i < 3; i++) {
                    if (random.nextBoolean()) {
                        array.add("v" + i);
                    }
                }
            }
        }
        if (random.nextBoolean()) {
            ArrayNode items = object.putArray("items");
            for (int i = 0; i < 3; i++) {
                if (random.nextBoolean()) {
                    ObjectNode item = items.addObject().put("name", "n" + i);
                    item.put(random.nextBoolean() ? "x" : "y", word(random));
                }
            }
        }
        return object;
    }

    private static String word(SplittableRandom random) {
        return "w" + random.nextInt(3);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void mergeSetsEverythingThatIsAppliedAndForgetsNothing(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 500; i++) {
            ObjectNode live = random(random);
            ObjectNode applied = random(random);
            String values = "seed " + seed + ", live " + live + ", applied " + applied;
            JsonNode merged = TypedFields.merge(SCHEMA, live, applied);
            assertThat(TypedFields.merge(SCHEMA, merged, applied)).as(values).isEqualTo(merged);
            assertThat(TypedFields.of(SCHEMA, applied).minus(TypedFields.of(SCHEMA, merged)).paths().stream()
                            .filter(path -> !isEmptyContainer(applied, path)))
                    .as(values)
                    .isEmpty();
            assertThat(TypedFields.changed(SCHEMA, live, live)).as(values).isEqualTo(new FieldSet());
            assertThat(TypedFields.changed(SCHEMA, live, merged)
                            .minus(TypedFields.of(SCHEMA, merged))
                            .isEmpty())
                    .as(values)
                    .isTrue();
        }
    }

    /** An empty list or map is a field of itself only while it is empty. */
    private static boolean isEmptyContainer(ObjectNode applied, String path) {
        JsonNode field = applied.get(path.substring(1));
        return field != null && field.isContainerNode() && field.isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void removingWhatOneSetLeavesTheRest(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 500; i++) {
            ObjectNode object = random(random);
            FieldSet all = TypedFields.of(SCHEMA, object);
            String values = "seed " + seed + ", object " + object;
            assertThat(TypedFields.remove(SCHEMA, object, new FieldSet(), all))
                    .as(values)
                    .isEqualTo(object);
            JsonNode left = TypedFields.remove(SCHEMA, object, all, new FieldSet());
            assertThat(left == null || left.isEmpty()).as(values).isTrue();
            assertThat(FieldSet.fromJson(all.toJson())).as(values).isEqualTo(all);
            assertThat(all.minus(all).isEmpty()).as(values).isTrue();
            assertThat(all.union(all)).as(values).isEqualTo(all);
            assertThat(all.intersection(all)).as(values).isEqualTo(all);
        }
    }
}
