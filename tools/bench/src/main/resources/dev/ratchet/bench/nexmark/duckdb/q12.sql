SELECT bidder, COUNT(*) AS bid_count, time_bucket(INTERVAL '10' SECOND, date_time) AS starttime,
       time_bucket(INTERVAL '10' SECOND, date_time) + INTERVAL '10' SECOND AS endtime
FROM bid
GROUP BY bidder, starttime, endtime
