WITH windows AS (
  SELECT auction, time_bucket(INTERVAL '2' SECOND, date_time) - INTERVAL '2' SECOND * back AS starttime
  FROM bid, range(5) AS r(back)),
counts AS (SELECT auction, starttime, COUNT(*) AS num FROM windows GROUP BY auction, starttime)
SELECT auction, num, starttime
FROM counts
WHERE num >= (SELECT MAX(num) FROM counts AS others WHERE others.starttime = counts.starttime)
