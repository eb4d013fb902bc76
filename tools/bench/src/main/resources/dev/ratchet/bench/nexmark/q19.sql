-- The ten highest bids of each auction. Ties of price are broken by time and text.
SELECT *
FROM (
  SELECT bid.*, ROW_NUMBER() OVER (PARTITION BY auction ORDER BY price DESC, date_time, extra) AS place
  FROM bid)
WHERE place <= 10
