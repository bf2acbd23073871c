-- Rich customers of some countries who have never ordered.
with some as (
  select c_custkey, c_acctbal, substring(c_phone, 1, 2) as code from customer
  where substring(c_phone, 1, 2) in ('13', '31', '23', '29', '30', '18', '17')
)
select code, count(*) as customers, sum(c_acctbal) as money
from some left anti join orders on o_custkey = c_custkey
where c_acctbal > (select avg(c_acctbal) from some where c_acctbal > 0)
group by code order by code
