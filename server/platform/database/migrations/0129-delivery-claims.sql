-- Claims read due deliveries in this order and stop at their limit, instead of sorting all that are due.
create index deliveries_due_in_order on deliveries (run_at, id);
drop index deliveries_due;
alter index deliveries_due_in_order rename to deliveries_due;
