-- How many customers have how many orders, special requests aside.
with counted as (
  select c_custkey, count(o_orderkey) as n
  from customer left join orders
    on o_custkey = c_custkey and o_comment not like '%special%requests%'
  group by c_custkey
)
select n, count(*) as customers from counted group by n order by customers desc, n desc
