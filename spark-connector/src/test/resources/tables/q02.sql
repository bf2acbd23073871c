-- Who in Europe sells a part of a size and metal at the least cost in Europe.
with offers as (
  select ps_partkey, ps_supplycost, s_acctbal, s_name, s_address, s_phone, s_comment, n_name
  from partsupp
    join supplier on s_suppkey = ps_suppkey
    join nation on n_nationkey = s_nationkey
    join region on r_regionkey = n_regionkey and r_name = 'EUROPE'
), best as (select ps_partkey as k, min(ps_supplycost) as least from offers group by ps_partkey)
select s_acctbal, s_name, n_name, p_partkey, p_mfgr, s_address, s_phone, s_comment
from part join offers on ps_partkey = p_partkey join best on k = p_partkey
where p_size = 15 and p_type like '%BRASS' and ps_supplycost = least
order by s_acctbal desc, n_name, s_name, p_partkey limit 100
