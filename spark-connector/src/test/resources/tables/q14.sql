-- What part of a month's revenue is of promoted parts.
select 100 * sum(l_extendedprice * (1 - l_discount)) filter (where p_type like 'PROMO%')
    / sum(l_extendedprice * (1 - l_discount)) as percent
from lineitem join part on p_partkey = l_partkey
where l_shipdate >= date '1995-09-01' and l_shipdate < date '1995-10-01'
