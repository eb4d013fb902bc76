-- Bids with what a bounded table says of them.
SELECT B.auction, B.bidder, B.price, B.date_time, S.label
FROM bid B JOIN side_input S ON MOD(B.auction, 10000) = S.id
