/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import dev.ratchet.bench.nexmark.NexmarkQuery;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The views of the circuit under load: questions of Nexmark whose answers DuckDB gives exactly, so with sums and counts
 * in place of averages. {@link #BIDS} has a row for each bid and is followed, the others are read as a whole.
 */
final class LoadViews {

    /**
     * A view that is compared with what DuckDB answers.
     *
     * @param text of its query in Ratchet's SQL
     * @param judged the same for DuckDB
     */
    record View(String name, String text, String judged) {
        View(String name, String text) {
            this(name, text, text);
        }
    }

    /** The view with a row for each bid. */
    static final String BIDS = "bids";

    private static final List<View> ALL = List.of(
            nexmark("q2"),
            nexmark("q3"),
            nexmark("q5"),
            new View("q4", """
                    SELECT Q.category, COUNT(*) AS auctions, SUM(Q.final) AS total
                    FROM (
                      SELECT MAX(B.price) AS final, A.category
                      FROM auction A JOIN bid B ON A.id = B.auction
                      WHERE B.date_time BETWEEN A.date_time AND A.expires
                      GROUP BY A.id, A.category) Q
                    GROUP BY Q.category"""),
            new View("q17", """
                    SELECT auction, COUNT(*) AS total_bids, COUNT(*) FILTER (WHERE price < 10000) AS low_bids,
                           MIN(price) AS min_price, MAX(price) AS max_price, SUM(price) AS sum_price
                    FROM bid GROUP BY auction"""),
            new View("q19", """
                    SELECT auction, bidder, price, place
                    FROM (
                      SELECT auction, bidder, price,
                             ROW_NUMBER() OVER (PARTITION BY auction ORDER BY price DESC, date_time, extra) AS place
                      FROM bid)
                    WHERE place <= 2"""));

    private LoadViews() {}

    private static View nexmark(String name) {
        NexmarkQuery query = NexmarkQuery.named(name);
        return new View(name, query.text(), query.text("duckdb"));
    }

    static List<View> all() {
        return ALL;
    }

    /** The statements that create the tables, in either dialect. */
    static String tables() {
        return NexmarkQuery.tables().split("CREATE TABLE side_input", 2)[0];
    }

    /** The program of the circuit. */
    static String program() {
        return ALL.stream()
                .map(view -> "CREATE VIEW " + view.name() + " AS\n" + view.text() + ";\n")
                .collect(Collectors.joining(
                        "", tables(), "CREATE VIEW " + BIDS + " AS SELECT auction, bidder, price, extra FROM bid;\n"));
    }
}
