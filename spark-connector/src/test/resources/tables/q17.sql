-- What would be lost a year without the small orders of a part.
select sum(l_extendedprice) / 7.0 as yearly
from part join lineitem l on l_partkey = p_partkey
where p_brand = 'Brand#23' and p_container like 'MED%'
  and l_quantity < (select 0.2 * avg(l_quantity) from lineitem i where i.l_partkey = p_partkey)
