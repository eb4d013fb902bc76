-- What each customer spent, the two dearest orders of each, and who leads whom over any number of levels.
CREATE TABLE orders (id BIGINT PRIMARY KEY, customer INT NOT NULL, amount DECIMAL(10, 2), placed TIMESTAMP);
CREATE TABLE customers (id INT PRIMARY KEY, name VARCHAR, leader INT);

CREATE VIEW spent AS
  SELECT c.name, COUNT(o.id) AS orders, SUM(o.amount) AS total
  FROM customers c LEFT JOIN orders o ON o.customer = c.id
  GROUP BY c.name;

CREATE VIEW dearest AS
  SELECT customer, id, amount
  FROM (SELECT customer, id, amount,
               ROW_NUMBER() OVER (PARTITION BY customer ORDER BY amount DESC, id) AS place
        FROM orders)
  WHERE place <= 2;

DECLARE RECURSIVE VIEW leads (leader INT, follower INT);
CREATE VIEW leads AS
  SELECT leader, id FROM customers WHERE leader IS NOT NULL
  UNION
  SELECT l.leader, c.id FROM leads l JOIN customers c ON c.leader = l.follower;
