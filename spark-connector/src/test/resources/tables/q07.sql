-- Trade between two nations, year by year and in both directions.
with trade as (
  select sn.n_name as seller, cn.n_name as buyer, year(l_shipdate) as y,
    l_extendedprice * (1 - l_discount) as volume
  from lineitem
    join orders on o_orderkey = l_orderkey
    join customer on c_custkey = o_custkey
    join nation cn on cn.n_nationkey = c_nationkey
    join supplier on s_suppkey = l_suppkey
    join nation sn on sn.n_nationkey = s_nationkey
  where l_shipdate between date '1995-01-01' and date '1996-12-31'
)
select seller, buyer, y, sum(volume) as revenue from trade
where (seller, buyer) in (('FRANCE', 'GERMANY'), ('GERMANY', 'FRANCE'))
group by seller, buyer, y order by seller, buyer, y
