-- Whether two ways of shipping make urgent orders late.
select l_shipmode,
  count_if(o_orderpriority in ('1-URGENT', '2-HIGH')) as urgent,
  count_if(o_orderpriority not in ('1-URGENT', '2-HIGH')) as others
from lineitem join orders on o_orderkey = l_orderkey
where l_shipmode in ('MAIL', 'SHIP') and year(l_receiptdate) = 1994
  and l_shipdate < l_commitdate and l_commitdate < l_receiptdate
group by l_shipmode order by l_shipmode
