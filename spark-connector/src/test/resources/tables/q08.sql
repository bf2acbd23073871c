-- A nation's share of what a region buys of one type of part.
with sales as (
  select year(o_orderdate) as y, seller.n_name as seller,
    l_extendedprice * (1 - l_discount) as volume
  from part
    join lineitem on l_partkey = p_partkey
    join supplier on s_suppkey = l_suppkey
    join nation seller on seller.n_nationkey = s_nationkey
    join orders on o_orderkey = l_orderkey
    join customer on c_custkey = o_custkey
    join nation home on home.n_nationkey = c_nationkey
    join region on r_regionkey = home.n_regionkey
  where r_name = 'AMERICA' and p_type = 'ECONOMY ANODIZED STEEL'
    and o_orderdate between date '1995-01-01' and date '1996-12-31'
)
select y, sum(if(seller = 'BRAZIL', volume, 0)) / sum(volume) as share
from sales group by y order by y
