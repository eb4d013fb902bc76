SELECT id, itemName, description, initialBid, reserve, date_time, expires, seller, category, extra,
       auction, bidder, price, bid_time, bid_extra
FROM (
  SELECT A.*, B.auction, B.bidder, B.price, B.date_time AS bid_time, B.extra AS bid_extra,
         ROW_NUMBER() OVER (PARTITION BY A.id ORDER BY B.price DESC, B.date_time ASC) AS place
  FROM auction A JOIN bid B ON A.id = B.auction
  WHERE B.date_time BETWEEN A.date_time AND A.expires
)
WHERE place <= 1
