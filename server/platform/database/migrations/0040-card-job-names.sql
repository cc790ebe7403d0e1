-- One job refreshes the card of a new or edited status.
create temporary table renamed (old_name text primary key, new_name text not null) on commit drop;
insert into renamed (old_name, new_name)
  values
    ('status.refresh_created_card', 'status.refresh_card'),
    ('status.refresh_edited_card', 'status.refresh_card');
update jobs set name = new_name from renamed where name = old_name;
