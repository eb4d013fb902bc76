/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Recursive views of a graph whose edges come and go hold what DuckDB computes anew. */
class RecursiveSqlTest {

    private static final ColumnType INTEGER = ColumnType.of(TypeKind.INTEGER).orNull();
    private static final Relation EDGE = new Relation(
            "edge", List.of(new Relation.Column("a", INTEGER), new Relation.Column("b", INTEGER)), Map.of());

    private static final String PROGRAM = """
            CREATE TABLE edge (a INT, b INT);
            DECLARE RECURSIVE VIEW path (a INT, b INT);
            CREATE LOCAL VIEW longer AS SELECT p.a, e.b FROM path p JOIN edge e ON p.b = e.a;
            CREATE VIEW reach AS SELECT a, COUNT(*) AS n FROM path GROUP BY a;
            CREATE VIEW path AS SELECT a, b FROM edge UNION SELECT a, b FROM longer;
            DECLARE RECURSIVE VIEW odd (a INT, b INT);
            DECLARE RECURSIVE VIEW even (a INT, b INT);
            CREATE VIEW odd AS SELECT a, b FROM edge UNION SELECT v.a, e.b FROM even v JOIN edge e ON v.b = e.a;
            CREATE VIEW even AS SELECT o.a, e.b FROM odd o JOIN edge e ON o.b = e.a;
            CREATE VIEW walked AS
              WITH RECURSIVE p AS (SELECT a, b FROM edge UNION SELECT p.a, e.b FROM p JOIN edge e ON p.b = e.a)
              SELECT a, b FROM p;
            -- Stepping back along what leads on inside of stepping on: together every walk that does not turn twice.
            CREATE VIEW nested AS
              WITH RECURSIVE p AS (
                SELECT a, b FROM edge WHERE a = 0
                UNION SELECT a, b FROM (
                  WITH RECURSIVE q AS (
                    SELECT p.a, e.b FROM p JOIN edge e ON p.b = e.a
                    UNION SELECT q.a, e.a FROM q JOIN edge e ON q.b = e.b) SELECT a, b FROM q))
              SELECT a, b FROM p;
            DECLARE RECURSIVE VIEW met (h INT NOT NULL, b INT NULL);
            CREATE VIEW met AS
              SELECT a, b FROM edge WHERE a IS NOT NULL
              UNION SELECT m.h, e.b FROM met m JOIN edge e ON m.b = e.a;
            DECLARE RECURSIVE VIEW shortest (a INT, b INT, d BIGINT);
            CREATE VIEW shortest AS
              SELECT a, b, MIN(d) FROM (
                SELECT a, b, CAST(1 AS BIGINT) AS d FROM edge
                UNION ALL SELECT s.a, e.b, s.d + 1 FROM shortest s JOIN edge e ON s.b = e.a WHERE s.d < 9)
              GROUP BY a, b;
            """;

    private static final String PATH = "WITH RECURSIVE p(a, b) AS (SELECT a, b FROM edge UNION "
            + "SELECT p.a, e.b FROM p JOIN edge e ON p.b = e.a) ";

    private static final String WALK = "WITH RECURSIVE w(a, b, o) AS (SELECT a, b, TRUE FROM edge UNION "
            + "SELECT w.a, e.b, NOT w.o FROM w JOIN edge e ON w.b = e.a) ";

    private static final String NESTED =
            "WITH RECURSIVE n(a, b, back) AS (SELECT a, b, FALSE FROM edge WHERE a = 0 UNION "
                    + "SELECT * FROM (SELECT n.a, e.b, TRUE FROM n JOIN edge e ON n.b = e.a UNION "
                    + "SELECT n.a, e.a, TRUE FROM n JOIN edge e ON n.b = e.b WHERE n.back)) ";

    private static final String SHORTEST = "WITH RECURSIVE s(a, b, d) AS (SELECT a, b, 1 FROM edge UNION "
            + "SELECT s.a, e.b, s.d + 1 FROM s JOIN edge e ON s.b = e.a WHERE s.d < 9) ";

    static LongStream seeds() {
        return Samples.seeds(5);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void holdsTheLeastFixpointAfterEveryStep(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        List<List<Long>> edges = new ArrayList<>();
        try (DuckTables duck = new DuckTables();
                ViewContents ours = new ViewContents(PROGRAM, Samples.threads(seed))) {
            duck.create(EDGE);
            for (int step = 0; step < 10; step++) {
                for (int i = random.nextInt(4); i > 0; i--) {
                    boolean goes = !edges.isEmpty() && random.nextInt(5) < 2;
                    List<Long> edge = goes
                            ? edges.remove(random.nextInt(edges.size()))
                            : List.of((long) random.nextInt(6), (long) random.nextInt(6));
                    if (!goes) {
                        edges.add(edge);
                    }
                    duck.change(EDGE, edge, goes ? -1 : 1);
                    ours.change(EDGE, edge, goes ? -1 : 1);
                }
                ours.step();
                String where = "seed " + seed + ", step " + step + ", edges " + edges;
                assertThat(ours.content("path")).as(where).isEqualTo(duck.query(PATH + "SELECT a, b FROM p"));
                assertThat(ours.content("met")).as(where).isEqualTo(ours.content("path"));
                assertThat(ours.content("walked")).as(where).isEqualTo(ours.content("path"));
                assertThat(ours.content("nested"))
                        .as(where)
                        .isEqualTo(duck.query(NESTED + "SELECT DISTINCT a, b FROM n"));
                assertThat(ours.content("shortest"))
                        .as(where)
                        .isEqualTo(duck.query(SHORTEST + "SELECT a, b, MIN(d) FROM s GROUP BY a, b"));
                assertThat(ours.content("reach"))
                        .as(where)
                        .isEqualTo(duck.query(PATH + "SELECT a, COUNT(*) FROM p GROUP BY a"));
                assertThat(ours.content("odd")).as(where).isEqualTo(duck.query(WALK + "SELECT a, b FROM w WHERE o"));
                assertThat(ours.content("even"))
                        .as(where)
                        .isEqualTo(duck.query(WALK + "SELECT a, b FROM w WHERE NOT o"));
            }
        }
    }
}
