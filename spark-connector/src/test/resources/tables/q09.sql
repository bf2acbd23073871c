-- Profit with parts of a colour, by the seller's nation and year.
select n_name, year(o_orderdate) as y,
  sum(l_extendedprice * (1 - l_discount) - ps_supplycost * l_quantity) as profit
from lineitem
  join part on p_partkey = l_partkey and p_name like '%green%'
  join partsupp on ps_partkey = l_partkey and ps_suppkey = l_suppkey
  join supplier on s_suppkey = l_suppkey
  join nation on n_nationkey = s_nationkey
  join orders on o_orderkey = l_orderkey
group by n_name, y order by n_name, y desc
