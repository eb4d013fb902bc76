SELECT B.auction, B.price, B.bidder, B.date_time, B.extra
FROM bid B
JOIN (
  SELECT MAX(price) AS maxprice, time_bucket(INTERVAL '10' SECOND, date_time) + INTERVAL '10' SECOND AS ends
  FROM bid
  GROUP BY ends
) B1
ON B.price = B1.maxprice
WHERE B.date_time BETWEEN B1.ends - INTERVAL '10' SECOND AND B1.ends
