-- The suppliers who have earned most in a quarter.
with earned as (
  select l_suppkey, sum(l_extendedprice * (1 - l_discount)) as revenue
  from lineitem
  where l_shipdate >= date '1996-01-01' and l_shipdate < add_months(date '1996-01-01', 3)
  group by l_suppkey
)
select s_suppkey, s_name, s_address, s_phone, revenue
from supplier join earned on l_suppkey = s_suppkey
where revenue = (select max(revenue) from earned) order by s_suppkey
