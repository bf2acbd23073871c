-- Suppliers of a nation with more than half a year's sales of some parts in stock.
with sold as (
  select l_partkey, l_suppkey, sum(l_quantity) / 2 as half
  from lineitem where year(l_shipdate) = 1994 group by l_partkey, l_suppkey
), plenty as (
  select ps_suppkey
  from partsupp join sold on l_partkey = ps_partkey and l_suppkey = ps_suppkey
  where ps_availqty > half
    and ps_partkey in (select p_partkey from part where p_name like 'f%')
)
select s_name, s_address
from supplier join nation on n_nationkey = s_nationkey
where n_name = 'CANADA' and s_suppkey in (select ps_suppkey from plenty) order by s_name
