-- The average price of the last ten auctions that each seller won. Ties are broken by the id.
SELECT Q.seller,
       AVG(Q.price) OVER (PARTITION BY Q.seller ORDER BY Q.date_time, Q.id ROWS BETWEEN 10 PRECEDING AND CURRENT ROW)
         AS average
FROM (
  SELECT A.id, A.seller, B.price, B.date_time,
         ROW_NUMBER() OVER (PARTITION BY A.id, A.seller ORDER BY B.price DESC, B.date_time) AS place
  FROM auction AS A JOIN bid AS B ON A.id = B.auction
  WHERE B.date_time BETWEEN A.date_time AND A.expires
) AS Q
WHERE Q.place <= 1
