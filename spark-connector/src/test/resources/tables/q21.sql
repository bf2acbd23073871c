-- Suppliers of a nation who alone kept orders of several suppliers waiting.
select s_name, count(*) as times
from supplier
  join nation on n_nationkey = s_nationkey and n_name = 'SAUDI ARABIA'
  join lineitem mine on mine.l_suppkey = s_suppkey and mine.l_receiptdate > mine.l_commitdate
  join orders on o_orderkey = mine.l_orderkey and o_orderstatus = 'F'
where exists (select 1 from lineitem x
    where x.l_orderkey = mine.l_orderkey and x.l_suppkey <> mine.l_suppkey)
  and not exists (select 1 from lineitem x
    where x.l_orderkey = mine.l_orderkey and x.l_suppkey <> mine.l_suppkey
      and x.l_receiptdate > x.l_commitdate)
group by s_name order by times desc, s_name limit 100
