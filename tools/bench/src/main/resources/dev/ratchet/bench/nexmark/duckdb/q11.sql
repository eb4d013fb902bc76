WITH starts AS (
  SELECT bidder, date_time,
         CASE WHEN date_time < LAG(date_time) OVER w + INTERVAL '10' SECOND THEN 0 ELSE 1 END AS starts
  FROM bid WINDOW w AS (PARTITION BY bidder ORDER BY date_time)),
sessions AS (
  SELECT bidder, date_time,
         SUM(starts) OVER (PARTITION BY bidder ORDER BY date_time RANGE UNBOUNDED PRECEDING) AS session
  FROM starts)
SELECT bidder, COUNT(*) AS bid_count, MIN(date_time) AS starttime, MAX(date_time) + INTERVAL '10' SECOND AS endtime
FROM sessions
GROUP BY bidder, session
