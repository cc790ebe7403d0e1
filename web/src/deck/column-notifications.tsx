import { useEffect, useMemo, useRef } from 'preact/hooks';
import { NotificationGroups, NotificationList, ReadMarker } from '../notifications/index.ts';

/** All notifications of the account. Those that are shown are marked as read, as on their page. */
export function ColumnNotifications({ title }: { readonly title: string }) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useMemo(() => new NotificationList({}), []);
  const marker = useMemo(() => new ReadMarker(), []);
  useEffect(() => void marker.load(), [marker]);
  return (
    // A region that scrolls can be scrolled by the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={scroller} class="column-body" tabIndex={0} role="group" aria-label={title}>
      <NotificationGroups list={list} marker={marker} scroller={scroller} />
    </div>
  );
}
