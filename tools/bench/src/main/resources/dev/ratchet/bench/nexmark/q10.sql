-- A log of all bids, each with the partition that it is written to.
SELECT auction, bidder, price, date_time, extra,
       SUBSTRING(CAST(date_time AS VARCHAR) FROM 1 FOR 10) AS dt,
       SUBSTRING(CAST(date_time AS VARCHAR) FROM 12 FOR 5) AS hm
FROM bid
