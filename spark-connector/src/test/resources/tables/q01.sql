-- What was billed and shipped until a day, by the state of the line.
select l_returnflag as flag, l_linestatus as status,
  count(*) as n, sum(l_quantity) as pieces, sum(l_extendedprice) as price,
  sum(l_extendedprice * (1 - l_discount)) as net,
  sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) as charge,
  avg(l_quantity) as mean_pieces, avg(l_extendedprice) as mean_price, avg(l_discount) as mean_off
from lineitem
where l_shipdate <= date_sub(date '1998-12-01', 90)
group by 1, 2 order by 1, 2
