-- Imports stored language tags as they were in the file. A follow limited to a tag that is not listed showed nothing.
update follows set languages = array(
  select distinct case when tag in ('zh-CN', 'zh-HK', 'zh-TW', 'zh-YUE', 'pt-BR') then tag else split_part(lower(tag), '-', 1) end
  from unnest(languages) as tag)
where exists (
  select from unnest(languages) as tag
  where tag <> all(array['zh-CN', 'zh-HK', 'zh-TW', 'zh-YUE', 'pt-BR']) and (tag like '%-%' or tag <> lower(tag)));

update follow_requests set languages = array(
  select distinct case when tag in ('zh-CN', 'zh-HK', 'zh-TW', 'zh-YUE', 'pt-BR') then tag else split_part(lower(tag), '-', 1) end
  from unnest(languages) as tag)
where exists (
  select from unnest(languages) as tag
  where tag <> all(array['zh-CN', 'zh-HK', 'zh-TW', 'zh-YUE', 'pt-BR']) and (tag like '%-%' or tag <> lower(tag)));
