/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.instruction;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import dev.ratchet.circuits.expression.Expression;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Records that hold instructions as JSON: objects by the names of components, without those that are 0, false, null or
 * empty, in an order of their own, so that equal records have equal bytes in every process. Safe for several threads.
 */
public final class InstructionJson {

    /** Which of a closed set it is: its simple name. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
    private interface Named {}

    private static final JsonInclude.Value NOT_NULL =
            JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS);

    private static final JsonSetter.Value ABSENT_IS_EMPTY = JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY);

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .visibility(PropertyAccessor.ALL, JsonAutoDetect.Visibility.NONE)
            .visibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
            .visibility(PropertyAccessor.CREATOR, JsonAutoDetect.Visibility.ANY)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_DEFAULT, JsonInclude.Include.ALWAYS))
            // An empty text is another constant than NULL.
            .withConfigOverride(Object.class, constants -> constants.setInclude(NOT_NULL))
            .withConfigOverride(List.class, lists -> lists.setSetterInfo(ABSENT_IS_EMPTY))
            .withConfigOverride(Map.class, maps -> maps.setSetterInfo(ABSENT_IS_EMPTY))
            .withConfigOverride(String.class, texts -> texts.setSetterInfo(ABSENT_IS_EMPTY))
            .addMixIn(Instruction.class, Named.class)
            .addMixIn(Expression.class, Named.class)
            .addModule(new ValueModule())
            .build();

    static {
        Stream.of(Instruction.class, Expression.class)
                .flatMap(set -> Stream.of(set.getPermittedSubclasses()))
                .forEach(one -> MAPPER.registerSubtypes(new NamedType(one, one.getSimpleName())));
    }

    private InstructionJson() {}

    public static byte[] write(Record record) {
        try {
            return MAPPER.writeValueAsBytes(record);
        } catch (IOException e) {
            throw new UncheckedIOException("A program can not be recorded: " + e.getMessage(), e);
        }
    }

    /**
     * The record in these bytes.
     *
     * @param functions sees the classes of the functions that users give
     * @throws IllegalArgumentException where they are none, or name what this release or the class loader has not
     */
    public static <T extends Record> T read(byte[] bytes, Class<T> type, ClassLoader functions) {
        try {
            return MAPPER.readerFor(type)
                    .withAttribute(ClassLoader.class, functions)
                    .readValue(bytes);
        } catch (IOException | RuntimeException e) {
            // Constructors refuse what is not there, each in its way.
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        }
    }
}
