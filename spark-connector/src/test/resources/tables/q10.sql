-- Customers who have sent back most in a quarter.
select c_custkey, c_name, sum(l_extendedprice * (1 - l_discount)) as lost,
  c_acctbal, n_name, c_address, c_phone, c_comment
from lineitem
  join orders on o_orderkey = l_orderkey
  join customer on c_custkey = o_custkey
  join nation on n_nationkey = c_nationkey
where l_returnflag = 'R'
  and o_orderdate >= date '1993-10-01' and o_orderdate < date '1994-01-01'
group by c_custkey, c_name, c_acctbal, n_name, c_address, c_phone, c_comment
order by lost desc, c_custkey limit 20
