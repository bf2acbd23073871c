-- Revenue of three kinds of parts that came by air and in person.
select sum(l_extendedprice * (1 - l_discount)) as revenue, count(*) as n
from lineitem join part on p_partkey = l_partkey
where l_shipmode in ('AIR', 'REG AIR') and l_shipinstruct = 'DELIVER IN PERSON'
  and ((p_brand like 'Brand#1%' and p_container like 'SM%'
        and l_quantity between 1 and 11 and p_size between 1 and 5)
    or (p_brand like 'Brand#2%' and p_container like 'MED%'
        and l_quantity between 10 and 20 and p_size between 1 and 10)
    or (p_brand like 'Brand#3%' and p_container like 'LG%'
        and l_quantity between 20 and 30 and p_size between 1 and 15))
