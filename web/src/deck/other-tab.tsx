import { useEffect, useMemo } from 'preact/hooks';
import { ConversationList } from '../conversations/index.ts';
import { NotificationGroups, NotificationList, ReadMarker } from '../notifications/index.ts';
import { parseSource } from './column-sources.ts';
import { FoundPosts } from './column-search.tsx';

/** A tab of home that is no timeline: notifications, conversations or a search. */
export function OtherTab({ source, title }: { readonly source: string; readonly title: string }) {
  const { kind, value } = parseSource(source);
  if (kind === 'notifications') return <Notifications />;
  if (kind === 'conversations') return <ConversationList />;
  return <FoundPosts title={title} query={value} />;
}

function Notifications() {
  const list = useMemo(() => new NotificationList({}), []);
  const marker = useMemo(() => new ReadMarker(), []);
  useEffect(() => void marker.load(), [marker]);
  return <NotificationGroups list={list} marker={marker} />;
}
