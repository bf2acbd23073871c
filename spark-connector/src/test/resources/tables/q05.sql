-- Revenue of a year within each nation of Asia.
select n_name, sum(l_extendedprice * (1 - l_discount)) as revenue
from region
  join nation on n_regionkey = r_regionkey
  join supplier on s_nationkey = n_nationkey
  join customer on c_nationkey = n_nationkey
  join orders on o_custkey = c_custkey
  join lineitem on l_orderkey = o_orderkey and l_suppkey = s_suppkey
where r_name = 'ASIA' and year(o_orderdate) = 1994
group by n_name order by revenue desc, n_name
