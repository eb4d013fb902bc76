-- How many bids each person made in each session; ten seconds without a bid end one.
SELECT bidder, COUNT(*) AS bid_count, window_start AS starttime, window_end AS endtime
FROM TABLE(SESSION(TABLE bid, DESCRIPTOR(date_time), DESCRIPTOR(bidder), INTERVAL '10' SECOND))
GROUP BY bidder, window_start, window_end
