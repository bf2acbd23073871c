-- Orders of a quarter of which a line came late, by priority.
select o_orderpriority, count(*) as late
from orders left semi join lineitem
  on l_orderkey = o_orderkey and l_commitdate < l_receiptdate
where o_orderdate >= date '1993-07-01' and o_orderdate < add_months(date '1993-07-01', 3)
group by o_orderpriority order by o_orderpriority
