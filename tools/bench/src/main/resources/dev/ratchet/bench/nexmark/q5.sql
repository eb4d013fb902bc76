-- The auctions with the most bids of the last ten seconds, every two seconds.
SELECT AuctionBids.auction, AuctionBids.num, AuctionBids.starttime
FROM (
  SELECT auction, COUNT(*) AS num, window_start AS starttime
  FROM TABLE(HOP(TABLE bid, DESCRIPTOR(date_time), INTERVAL '2' SECOND, INTERVAL '10' SECOND))
  GROUP BY auction, window_start, window_end
) AS AuctionBids
JOIN (
  SELECT MAX(CountBids.num) AS maxn, CountBids.starttime
  FROM (
    SELECT COUNT(*) AS num, window_start AS starttime
    FROM TABLE(HOP(TABLE bid, DESCRIPTOR(date_time), INTERVAL '2' SECOND, INTERVAL '10' SECOND))
    GROUP BY auction, window_start, window_end
  ) AS CountBids
  GROUP BY CountBids.starttime
) AS MaxBids
ON AuctionBids.starttime = MaxBids.starttime AND AuctionBids.num >= MaxBids.maxn
