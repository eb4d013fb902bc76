-- The last bid of each person on each auction. Ties of time are broken by the text.
SELECT auction, bidder, price, channel, url, date_time, extra
FROM (
  SELECT bid.*, ROW_NUMBER() OVER (PARTITION BY bidder, auction ORDER BY date_time DESC, extra) AS place
  FROM bid)
WHERE place <= 1
