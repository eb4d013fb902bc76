/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.model;

import com.google.protobuf.ByteString;
import dev.ratchet.client.ViewRow;
import dev.ratchet.protocol.client.v1.ViewEntries;
import dev.ratchet.protocol.client.v1.ViewEntry;
import dev.ratchet.protocol.client.v1.ViewValue;
import dev.ratchet.protocol.client.v1.ViewValues;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows of views as messages: a value of one of the classes that {@link ViewRow} names, and back. */
public final class ViewRowCodec {

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);

    private ViewRowCodec() {}

    public static ViewValues encode(ViewRow row) {
        ViewValues.Builder values = ViewValues.newBuilder();
        row.columns().forEach(column -> values.addValues(encode(row.get(column))));
        return values.build();
    }

    /** The row of these columns. */
    public static ViewRow decode(List<String> columns, ViewValues values) {
        return new ViewRow(columns, decode(values));
    }

    private static List<@Nullable Object> decode(ViewValues values) {
        List<@Nullable Object> decoded = new ArrayList<>(values.getValuesCount());
        values.getValuesList().forEach(value -> decoded.add(decode(value)));
        return decoded;
    }

    private static ViewValue encode(@Nullable Object value) {
        ViewValue.Builder encoded = ViewValue.newBuilder();
        switch (value) {
            case null -> {}
            case Boolean bool -> encoded.setBoolean(bool);
            case Long number -> encoded.setInteger(number);
            case Double number -> encoded.setReal(number);
            case BigDecimal number -> encoded.setDecimal(number.toString());
            case String text -> encoded.setText(text);
            case byte[] bytes -> encoded.setBinary(ByteString.copyFrom(bytes));
            case LocalDate date -> encoded.setDate(date.toEpochDay());
            case LocalTime time -> encoded.setTime(time.toNanoOfDay());
            case LocalDateTime time -> encoded.setTimestamp(ChronoUnit.MICROS.between(EPOCH, time));
            case Period period -> encoded.setMonths(period.toTotalMonths());
            case Duration duration ->
                encoded.setMicros(duration.getSeconds() * MICROS_PER_SECOND + duration.getNano() / NANOS_PER_MICRO);
            case List<?> list -> {
                ViewValues.Builder values = ViewValues.newBuilder();
                list.forEach(element -> values.addValues(encode(element)));
                encoded.setList(values);
            }
            case Map<?, ?> map -> {
                ViewEntries.Builder entries = ViewEntries.newBuilder();
                map.forEach((key, element) -> entries.addEntries(
                        ViewEntry.newBuilder().setKey(encode(key)).setValue(encode(element))));
                encoded.setMap(entries);
            }
            default -> throw new IllegalArgumentException("A view has no values of " + value.getClass());
        }
        return encoded.build();
    }

    private static @Nullable Object decode(ViewValue value) {
        return switch (value.getKindCase()) {
            case KIND_NOT_SET -> null;
            case BOOLEAN -> value.getBoolean();
            case INTEGER -> value.getInteger();
            case REAL -> value.getReal();
            case DECIMAL -> new BigDecimal(value.getDecimal());
            case TEXT -> value.getText();
            case BINARY -> value.getBinary().toByteArray();
            case DATE -> LocalDate.ofEpochDay(value.getDate());
            case TIME -> LocalTime.ofNanoOfDay(value.getTime());
            case TIMESTAMP ->
                LocalDateTime.ofEpochSecond(
                        Math.floorDiv(value.getTimestamp(), MICROS_PER_SECOND),
                        (int) (Math.floorMod(value.getTimestamp(), MICROS_PER_SECOND) * NANOS_PER_MICRO),
                        ZoneOffset.UTC);
            case MONTHS -> Period.ofMonths(Math.toIntExact(value.getMonths()));
            case MICROS -> Duration.of(value.getMicros(), ChronoUnit.MICROS);
            case LIST -> decode(value.getList());
            case MAP -> {
                Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
                value.getMap()
                        .getEntriesList()
                        .forEach(entry -> map.put(decode(entry.getKey()), decode(entry.getValue())));
                yield map;
            }
        };
    }
}
