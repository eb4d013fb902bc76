/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.instruction;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.module.SimpleModule;
import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.expression.Functions;
import dev.ratchet.circuits.expression.function.LikePattern;
import dev.ratchet.circuits.expression.function.TimePattern;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.SchemaCodec;
import java.io.IOException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Types, functions and constants in JSON. A constant that JSON has no exact form of is an object of one field, which
 * says its kind: {@code {"decimal":"1.50"}}.
 */
final class ValueModule extends SimpleModule {

    private static final long serialVersionUID = 1;

    /** How a constant of a class is written, and read again. */
    private record Kind<T>(String name, Class<T> type, Function<T, String> text, Function<String, T> value) {

        void register(SimpleModule module) {
            module.addSerializer(type, writer(this::write));
        }

        void write(T constant, JsonGenerator out) throws IOException {
            out.writeStartObject();
            out.writeStringField(name, text.apply(constant));
            out.writeEndObject();
        }
    }

    /** Writes one value. */
    @FunctionalInterface
    private interface Written<T> {
        void to(T value, JsonGenerator out) throws IOException;
    }

    private static final Kind<ColumnType> TYPE =
            new Kind<>("type", ColumnType.class, ValueModule::textOf, ValueModule::typeOf);

    private static final List<Kind<?>> KINDS = List.of(
            new Kind<>("long", Long.class, Object::toString, Long::valueOf),
            new Kind<>("double", Double.class, Object::toString, Double::valueOf),
            new Kind<>("decimal", BigDecimal.class, Object::toString, BigDecimal::new),
            new Kind<>("bytes", byte[].class, HexFormat.of()::formatHex, HexFormat.of()::parseHex),
            new Kind<>("date", LocalDate.class, Object::toString, LocalDate::parse),
            new Kind<>("time", LocalTime.class, Object::toString, LocalTime::parse),
            new Kind<>("timestamp", LocalDateTime.class, Object::toString, LocalDateTime::parse),
            new Kind<>("period", Period.class, Object::toString, Period::parse),
            new Kind<>("duration", Duration.class, Object::toString, Duration::parse),
            new Kind<>("like", LikePattern.class, LikePattern::recorded, LikePattern::ofRecorded),
            new Kind<>("timePattern", TimePattern.class, TimePattern::recorded, TimePattern::ofRecorded),
            TYPE);

    ValueModule() {
        KINDS.forEach(kind -> kind.register(this));
        addSerializer(ColumnType.class, writer((type, out) -> out.writeString(textOf(type))));
        addDeserializer(ColumnType.class, reader((json, context) -> typeOf(json.textValue())));
        addSerializer(Method.class, writer((method, out) -> out.writeString(Functions.nameOf(method))));
        addDeserializer(Method.class, reader(ValueModule::functionOf));
        addSerializer(Set.class, writer(ValueModule::writeSorted));
        addDeserializer(Object.class, reader((json, context) -> constantOf(json)));
        setMixInAnnotation(Expression.Call.class, CallConstants.class);
    }

    private static String textOf(ColumnType type) {
        return HexFormat.of().formatHex(SchemaCodec.encodeType(type));
    }

    private static ColumnType typeOf(String text) {
        return SchemaCodec.decodeType(HexFormat.of().parseHex(text));
    }

    private static Method functionOf(JsonNode json, DeserializationContext context) {
        return Functions.named(json.textValue(), (ClassLoader) context.getAttribute(ClassLoader.class));
    }

    /** Long or String constants, in an order of their own, because that of a set differs between processes. */
    private static void writeSorted(Set<?> constants, JsonGenerator out) throws IOException {
        out.writeStartArray();
        for (Object constant : constants.stream().sorted().toList()) {
            out.writePOJO(constant);
        }
        out.writeEndArray();
    }

    private static @Nullable Object constantOf(JsonNode json) {
        if (json.isTextual()) {
            return json.textValue();
        } else if (json.isBoolean()) {
            return json.booleanValue();
        } else if (json.isInt()) {
            return json.intValue();
        }
        for (Kind<?> kind : KINDS) {
            if (json.has(kind.name())) {
                return kind.value().apply(json.get(kind.name()).textValue());
            }
        }
        throw new IllegalArgumentException("A constant " + json + "; a newer release has its kind");
    }

    /** Among the constants of a call a type is told from a text. */
    private abstract static class CallConstants {
        @SuppressWarnings("unused") // Its annotation is read by Jackson.
        @JsonSerialize(contentUsing = ConstantWriter.class)
        private final List<Object> constants = List.of();
    }

    /** Writes a constant whose place says nothing of what it is. */
    static final class ConstantWriter extends JsonSerializer<Object> {
        @Override
        public void serialize(Object constant, JsonGenerator out, SerializerProvider all) throws IOException {
            if (constant instanceof ColumnType type) {
                TYPE.write(type, out);
            } else if (isPlain(constant)
                    || KINDS.stream().anyMatch(kind -> kind.type().isInstance(constant))) {
                out.writePOJO(constant);
            } else {
                throw new IllegalArgumentException(
                        "A constant of " + constant.getClass() + " has no form in which it is recorded");
            }
        }

        private static boolean isPlain(Object constant) {
            return constant instanceof String || constant instanceof Integer || constant instanceof Boolean;
        }
    }

    private static <T> JsonSerializer<T> writer(Written<T> written) {
        return new JsonSerializer<>() {
            @Override
            public void serialize(T value, JsonGenerator out, SerializerProvider all) throws IOException {
                written.to(value, out);
            }
        };
    }

    /** Reads one value. */
    @FunctionalInterface
    private interface Read<T> {
        @Nullable
        T of(JsonNode json, DeserializationContext context) throws IOException;
    }

    private static <T> JsonDeserializer<T> reader(Read<T> read) {
        return new JsonDeserializer<>() {
            @Override
            public @Nullable T deserialize(JsonParser in, DeserializationContext context) throws IOException {
                return read.of(context.readTree(in), context);
            }
        };
    }
}
