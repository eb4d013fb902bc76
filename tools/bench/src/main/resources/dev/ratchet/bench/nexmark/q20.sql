-- Bids on the auctions of one category, with all that is known of the auction.
SELECT auction, bidder, price, channel, url, B.date_time AS bid_time, B.extra AS bid_extra,
       itemName, description, initialBid, reserve, A.date_time AS auction_time, expires, seller, category,
       A.extra AS auction_extra
FROM bid AS B INNER JOIN auction AS A ON B.auction = A.id
WHERE A.category = 10
