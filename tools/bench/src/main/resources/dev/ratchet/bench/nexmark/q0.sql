-- Pass through: what it costs to move rows.
SELECT auction, bidder, price, date_time, extra FROM bid
