-- Parts that are a good share of a nation's stock.
with stock as (
  select ps_partkey, sum(ps_supplycost * ps_availqty) as worth
  from nation join supplier on s_nationkey = n_nationkey join partsupp on ps_suppkey = s_suppkey
  where n_name = 'GERMANY' group by ps_partkey
)
select ps_partkey, worth from stock
where worth > (select sum(worth) * 0.002 from stock)
order by worth desc, ps_partkey
