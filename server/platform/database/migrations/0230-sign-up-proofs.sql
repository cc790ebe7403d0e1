-- expand
alter table users add column lacks_proof_of_work boolean not null default false;
