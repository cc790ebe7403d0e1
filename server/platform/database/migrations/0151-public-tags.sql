-- Whether a public or unlisted post has used the hashtag. Existing rows get the constant without a rewrite of the table; only
-- those of private posts are updated. `offset 0` keeps the look-up by hashtag, which stops at the first public post.
alter table tags add column was_public boolean not null default true;
alter table tags alter column was_public set default false;
update tags set was_public = false
where not exists (
  select from status_tags st join statuses s on s.id = st.status_id
  where st.tag_id = tags.id and s.visibility in ('public', 'unlisted')
  offset 0
);
