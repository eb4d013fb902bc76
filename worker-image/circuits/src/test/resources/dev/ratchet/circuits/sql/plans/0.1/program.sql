-- Every instruction, and every kind of expression and constant.
CREATE TABLE e (a INT, b INT, s VARCHAR, d DECIMAL(30, 2), f DOUBLE, t TIMESTAMP LATENESS INTERVAL '10' SECOND);
CREATE TABLE n (id INT PRIMARY KEY, name VARCHAR, tags VARCHAR ARRAY);
CREATE TABLE log (k INT, x INT, t TIMESTAMP LATENESS INTERVAL '3' SECOND) WITH ('append_only' = 'true');
DECLARE RECURSIVE VIEW path (a INT, b INT);
CREATE VIEW path AS SELECT a, b FROM e UNION SELECT p.a, e.b FROM path p JOIN e ON p.b = e.a;
CREATE VIEW best AS SELECT * FROM
  (SELECT a, b, ROW_NUMBER() OVER (PARTITION BY a ORDER BY b DESC) AS r FROM e) WHERE r <= 2;
CREATE VIEW tied AS SELECT a, b FROM e QUALIFY RANK() OVER (PARTITION BY a ORDER BY b DESC) <= 2;
CREATE VIEW joined AS SELECT e.a, n.name FROM e FULL JOIN n ON e.a = n.id AND e.b > 1;
CREATE VIEW inner_join AS SELECT e.a, e.t, log.x FROM e JOIN log ON e.a = log.k AND e.b < log.x;
CREATE VIEW pairs AS SELECT x.id, y.id AS other FROM n x CROSS JOIN n y WHERE x.id < y.id;
CREATE VIEW without AS SELECT id FROM n WHERE id NOT IN (SELECT a FROM e WHERE a IS NOT NULL);
CREATE VIEW within AS SELECT id FROM n WHERE EXISTS (SELECT 1 FROM e WHERE e.a = n.id AND e.b > 2);
CREATE VIEW sums AS SELECT a, COUNT(*) AS n, SUM(d) AS total, AVG(b) AS mean, STDDEV(f) AS spread, SUM(f) AS f FROM e GROUP BY a;
CREATE VIEW extremes AS SELECT a, MIN(b) AS least, MAX(s) AS most, MODE(s) AS often, ARRAY_AGG(b) AS bs FROM e GROUP BY a;
CREATE VIEW distinct_sums AS SELECT a, COUNT(DISTINCT b) AS n, SUM(DISTINCT b) FILTER (WHERE b > 1) AS s,
  COUNT(DISTINCT s) AS texts FROM e GROUP BY a;
CREATE VIEW distinct_log AS SELECT k, COUNT(DISTINCT x) AS n, COUNT(DISTINCT x) FILTER (WHERE x > 3) AS many FROM log GROUP BY k;
CREATE VIEW log_extremes AS SELECT k, MIN(x) AS least, MAX(x) AS most FROM log GROUP BY k;
CREATE VIEW distinct_rows AS SELECT DISTINCT a, s FROM e;
CREATE VIEW total AS SELECT COUNT(*) AS n, MAX(b) AS b FROM e;
CREATE VIEW sets AS SELECT a, s, SUM(b) AS b FROM e GROUP BY ROLLUP (a, s);
CREATE VIEW outside AS SELECT id FROM n EXCEPT SELECT a FROM e;
CREATE VIEW outside_all AS SELECT a FROM e EXCEPT ALL SELECT id FROM n;
CREATE VIEW both_sides AS SELECT id FROM n INTERSECT SELECT a FROM e;
CREATE VIEW tag AS SELECT id, x FROM n, UNNEST(tags) AS q(x);
CREATE VIEW pieces AS SELECT k, window_start, COUNT(*) AS n FROM
  TABLE(TUMBLE(TABLE log, DESCRIPTOR(t), INTERVAL '4' SECOND)) GROUP BY k, window_start;
CREATE VIEW hops AS SELECT a, window_start, SUM(b) AS n FROM
  TABLE(HOP(TABLE e, DESCRIPTOR(t), INTERVAL '2' SECOND, INTERVAL '6' SECOND)) GROUP BY a, window_start;
CREATE VIEW visits AS SELECT k, window_start, window_end, SUM(x) AS s FROM
  TABLE(SESSION(TABLE log, DESCRIPTOR(t), DESCRIPTOR(k), INTERVAL '3' SECOND)) GROUP BY k, window_start, window_end;
CREATE VIEW visit_rows AS SELECT a, b, window_start FROM
  TABLE(SESSION(TABLE e, DESCRIPTOR(t), DESCRIPTOR(a), INTERVAL '3' SECOND));
CREATE VIEW rolling AS SELECT a, t, SUM(b) OVER
  (PARTITION BY a ORDER BY t RANGE BETWEEN INTERVAL '3' SECOND PRECEDING AND CURRENT ROW) AS s FROM e;
CREATE VIEW running AS SELECT a, b, SUM(b) OVER o AS s, ROW_NUMBER() OVER o AS r, LAG(b) OVER o AS l FROM e
  WINDOW o AS (PARTITION BY a ORDER BY t, b, s, d, f);
CREATE VIEW shares AS SELECT a, b, NTILE(3) OVER (PARTITION BY a ORDER BY b, t, s, d, f) AS q,
  PERCENT_RANK() OVER (PARTITION BY a ORDER BY b) AS p FROM e;
CREATE VIEW newest AS SELECT * FROM log QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY t DESC, x) = 1;
CREATE VIEW before AS SELECT e.a, e.t, log.x FROM e LEFT ASOF JOIN log MATCH_CONDITION e.t >= log.t ON e.a = log.k;
CREATE VIEW first_five AS SELECT a, b FROM e ORDER BY b DESC, a LIMIT 5;
CREATE VIEW largest AS SELECT e.a, e.b, m.best FROM e JOIN (SELECT a, MAX(b) AS best FROM e GROUP BY a) m
  ON e.a = m.a AND e.b = m.best;
CREATE VIEW largest_casts AS SELECT e.s, m.best, m.a FROM (SELECT a, MAX(b) AS best FROM e GROUP BY a) m
  JOIN e ON m.best = e.b AND m.a = e.a;
CREATE VIEW both_all AS SELECT id FROM n INTERSECT ALL SELECT a FROM e;
CREATE VIEW either AS SELECT id FROM n UNION SELECT a FROM e;
CREATE VIEW constants (x, n, d, f, t, y) AS VALUES
  (X'00FF', 1, 1.50, 1.5E0, TIMESTAMP '2024-02-29 12:00:00.000001', DATE '2024-02-29'),
  (X'', -9223372036854775808, -0.10, 1E300, TIMESTAMP '1960-01-01 00:00:00', DATE '1960-01-01');
CREATE VIEW moments (x, y) AS VALUES (TIME '12:30:00', INTERVAL '1' YEAR), (TIME '00:00:00', INTERVAL '2' MONTH);
CREATE VIEW texts AS SELECT UPPER(s) AS u, s LIKE 'a\_%' ESCAPE '\' AS l, s || 'é😀' AS t,
  SPLIT_PART(s, 'x', 2) AS p, s ILIKE 'b%' AS i,
  FORMAT_TIMESTAMP('%Y-%m %T', t) AS f, DATE_FORMAT(t, 'yyyy-MM') AS j,
  FALSE AS no, TRUE AS yes, '' AS empty, 0 AS zero, CAST(NULL AS INT) AS nothing, 0.0 AS d, 0E0 AS z FROM e
  WHERE s IN ('one', 'it''s', 'three', '', 'five') OR (a IN (1, 2, 3, 4, 5) AND b IS NOT NULL);
CREATE VIEW numbers AS SELECT d * 3 - a AS x, TRY_CAST(s AS INT) AS i, CASE WHEN a > 1 THEN b WHEN a IS NULL THEN 0 END AS c,
  f / 3 AS f, CAST(f AS DECIMAL(10, 3)) AS g, t + INTERVAL '1' DAY AS t, FLOOR(t TO HOUR) AS h, f > 1.5E0 AS m FROM e;
CREATE VIEW nested AS SELECT ARRAY[id, 1] AS items, MAP['k', id] AS map, ROW(id, name) AS parts,
  TRANSFORM(ARRAY[ARRAY[id]], x -> TRANSFORM(x, y -> y + CARDINALITY(x))) AS more,
  ARRAY_EXISTS(tags, x -> x = name) AS hit, SORT_ARRAY(tags) AS sorted, CAST(ROW(id, name) AS ROW(p INT, q VARCHAR)) AS named FROM n;
CREATE VIEW numbered AS SELECT id, x, i FROM n LEFT JOIN UNNEST(tags) WITH ORDINALITY AS q(x, i) ON TRUE;
CREATE VIEW walks AS WITH RECURSIVE p AS (
    SELECT a, b FROM e WHERE a = 0
    UNION SELECT a, b FROM (
      WITH RECURSIVE q AS (
        SELECT p.a, e.b FROM p JOIN e ON p.b = e.a
        UNION SELECT q.a, e.a FROM q JOIN e ON q.b = e.b) SELECT a, b FROM q))
  SELECT a, b FROM p;
