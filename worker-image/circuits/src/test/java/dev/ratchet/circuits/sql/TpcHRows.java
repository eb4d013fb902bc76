/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Rows of TPC-H's tables that come and go, hundreds instead of millions: drawn from the few values that its queries ask
 * for, so that each of them finds some.
 */
final class TpcHRows {

    /** Takes a row of a table in (1) or out (-1). */
    interface Change {
        void of(String table, List<Object> row, int weight) throws Exception;
    }

    private static final List<String> REGIONS = List.of("ASIA", "AMERICA", "EUROPE", "MIDDLE EAST");

    /** Each with its region. */
    private static final Map<String, Integer> NATIONS = nations();

    private static final LocalDate FIRST_DAY = LocalDate.of(1993, 7, 1);
    private static final int DAYS = 1_250;
    private static final int PARTS = 36;
    private static final int SUPPLIERS = 12;
    private static final int CUSTOMERS = 24;
    private static final int SUPPLIERS_PER_PART = 3;
    private static final int ORDERS = 160;
    private static final int NEW_ORDERS = 10;

    private final SplittableRandom random;
    private final Change change;
    private final Map<String, List<List<Object>>> there = new LinkedHashMap<>();
    private long orders;

    TpcHRows(long seed, Change change) {
        this.random = new SplittableRandom(seed);
        this.change = change;
    }

    private static Map<String, Integer> nations() {
        Map<String, Integer> nations = new LinkedHashMap<>();
        nations.put("FRANCE", 2);
        nations.put("GERMANY", 2);
        nations.put("BRAZIL", 1);
        nations.put("CANADA", 1);
        nations.put("INDIA", 0);
        nations.put("SAUDI ARABIA", 3);
        return nations;
    }

    /** First everything that orders refer to; then orders come, and rows of any table go and come back. */
    void change() throws Exception {
        if (there.isEmpty()) {
            reference();
            for (int i = 0; i < ORDERS; i++) {
                order();
            }
            return;
        }
        for (Map.Entry<String, List<List<Object>>> table : List.copyOf(there.entrySet())) {
            List<List<Object>> rows = table.getValue();
            for (int i = 1 + rows.size() / 20; i > 0; i--) {
                List<Object> row = rows.remove(random.nextInt(rows.size()));
                change.of(table.getKey(), row, -1);
                if (random.nextInt(3) > 0) {
                    add(table.getKey(), row.toArray());
                }
            }
        }
        for (int i = 0; i < NEW_ORDERS; i++) {
            order();
        }
    }

    private void reference() throws Exception {
        for (String region : REGIONS) {
            add("region", REGIONS.indexOf(region), region, "none");
        }
        int key = 0;
        for (Map.Entry<String, Integer> nation : NATIONS.entrySet()) {
            add("nation", key++, nation.getKey(), nation.getValue(), "none");
        }
        for (int part = 0; part < PARTS; part++) {
            String name = oneOf("forest green", "lime green", "forest blue", "red");
            String type = oneOf("ECONOMY ANODIZED STEEL", "PROMO POLISHED BRASS", "MEDIUM POLISHED TIN", "LARGE BRASS");
            String container = oneOf("SM BOX", "MED BOX", "LG BOX");
            int size = List.of(1, 3, 14, 15, 15).get(random.nextInt(5));
            String brand = oneOf("Brand#12", "Brand#23", "Brand#34", "Brand#45");
            add("part", part, name, "Manufacturer", brand, type, size, container, money(900, 2_000), "none");
            for (int i = 0; i < SUPPLIERS_PER_PART; i++) {
                int available = random.nextInt(1, 60);
                add("partsupp", part, (part + i * 5) % SUPPLIERS, available, money(1, 30), "none");
            }
        }
        for (int supplier = 0; supplier < SUPPLIERS; supplier++) {
            String comment = oneOf("none", "some", "Customer of many Complaints");
            add("supplier", supplier, "Supplier" + supplier, "Street", supplier % 6, "13-1", money(-9, 99), comment);
        }
        for (int customer = 0; customer < CUSTOMERS; customer++) {
            String phone = oneOf("13-555", "31-555", "23-555", "44-555");
            String segment = oneOf("BUILDING", "MACHINERY");
            add("customer", customer, "C" + customer, "Street", customer % 6, phone, money(-9, 99), segment, "none");
        }
    }

    /** An order of two customers out of three, and what is in it. */
    private void order() throws Exception {
        long key = orders++;
        int customer = random.nextInt(CUSTOMERS / 3) * 3 + random.nextInt(2);
        LocalDate day = FIRST_DAY.plusDays(random.nextInt(DAYS));
        String priority = oneOf("1-URGENT", "2-HIGH", "3-MEDIUM");
        String comment = oneOf("none", "special and urgent requests");
        add("orders", key, customer, oneOf("F", "O"), money(100, 900), day, priority, "Clerk", 0, comment);
        int lines = random.nextInt(2, 5);
        for (int line = 0; line < lines; line++) {
            int part = random.nextInt(PARTS);
            int supplier = (part + random.nextInt(SUPPLIERS_PER_PART) * 5) % SUPPLIERS;
            LocalDate shipped = day.plusDays(random.nextInt(1, 60));
            LocalDate committed = day.plusDays(random.nextInt(40, 75));
            LocalDate received = shipped.plusDays(random.nextInt(1, 30));
            add(
                    "lineitem",
                    key,
                    part,
                    supplier,
                    line,
                    BigDecimal.valueOf(random.nextInt(1, 31)),
                    money(100, 900),
                    BigDecimal.valueOf(random.nextInt(4, 9), 2),
                    BigDecimal.valueOf(random.nextInt(9), 2),
                    oneOf("R", "A", "N"),
                    oneOf("O", "F"),
                    shipped,
                    committed,
                    received,
                    oneOf("DELIVER IN PERSON", "NONE"),
                    oneOf("AIR", "AIR REG", "MAIL", "SHIP"),
                    "none");
        }
    }

    private void add(String table, Object... values) throws Exception {
        List<Object> row = new ArrayList<>();
        for (Object value : values) {
            row.add(value instanceof Integer number ? (Object) number.longValue() : value);
        }
        there.computeIfAbsent(table, none -> new ArrayList<>()).add(row);
        change.of(table, row, 1);
    }

    private BigDecimal money(int from, int to) {
        return BigDecimal.valueOf(random.nextInt(from * 100, to * 100), 2);
    }

    private String oneOf(String... values) {
        return values[random.nextInt(values.length)];
    }
}
