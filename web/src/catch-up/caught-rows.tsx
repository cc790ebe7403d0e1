import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { memo } from 'preact/compat';
import { WindowVirtualizer, type WindowVirtualizerHandle } from 'virtua';
import { StatusCard } from '../status/index.ts';
import type { PersonGroup } from './group-posts.ts';
import { listRows, type ShownRow } from './list-rows.ts';
import { MoreRow, PersonRow, ThreadRow } from './fold-rows.tsx';
import { changeView, viewOf } from './view.ts';

interface CaughtRowsProps {
  readonly groups: readonly PersonGroup[];
  readonly viewKey: string;
}

/** The posts by person. The reader's place is kept when the page is left. */
export function CaughtRows({ groups, viewKey }: CaughtRowsProps) {
  const element = useRef<HTMLDivElement>(null);
  const list = useRef<WindowVirtualizerHandle>(null);
  const { folded, unfolded, threads, position } = viewOf(viewKey).value;
  const rows = listRows(groups, {
    folded: new Set(folded),
    unfolded: new Set(unfolded),
    threads: new Set(threads),
  });
  const latestRows = useRef(rows);
  latestRows.current = rows;

  const rememberPosition = (): void => {
    if (list.current === null || element.current === null) return;
    const { top } = element.current.getBoundingClientRect();
    const header = document.querySelector('.page-header')?.getBoundingClientRect().bottom ?? 0;
    const index = list.current.findItemIndex(Math.max(0, header - top));
    const row = latestRows.current[index];
    const offset = Math.round(top + list.current.getItemOffset(index));
    const isAtTop = globalThis.scrollY < 1 || row === undefined;
    changeView(viewKey, { position: isAtTop ? undefined : { key: row.key, offset } });
  };

  useLayoutEffect(() => {
    const index = position === undefined ? -1 : rows.findIndex(({ key }) => key === position.key);
    if (index >= 0) list.current?.scrollToIndex(index, { align: 'start', offset: -(position?.offset ?? 0) });
    return rememberPosition;
  }, [viewKey]);
  useEffect(() => {
    addEventListener('pagehide', rememberPosition);
    return () => removeEventListener('pagehide', rememberPosition);
  }, [viewKey]);

  return (
    <div ref={element} class="posts">
      <WindowVirtualizer
        ref={list}
        data={rows}
        itemSize={expectedRowPx}
        bufferSize={bufferPx}
        onScrollEnd={rememberPosition}
      >
        {(row) => <Row key={row.key} row={row} viewKey={viewKey} />}
      </WindowVirtualizer>
    </div>
  );
}

const expectedRowPx = 180;
const bufferPx = 800;

interface RowProps {
  readonly row: ShownRow;
  readonly viewKey: string;
}

const Row = memo(
  ({ row, viewKey }: RowProps) => {
    switch (row.kind) {
      case 'person':
        return <PersonRow group={row.group} isFolded={row.isFolded} viewKey={viewKey} />;
      case 'thread':
        return <ThreadRow entry={row.entry} isOpen={row.isOpen} viewKey={viewKey} />;
      case 'more':
        return <MoreRow accountId={row.accountId} count={row.count} viewKey={viewKey} />;
      case 'post': {
        const { statusId, boosterIds } = row.post;
        const card = <StatusCard id={statusId} context="home" boosterIds={boosterIds} />;
        return row.isInThread ? <div class="catch-up-reply">{card}</div> : card;
      }
    }
  },
  (before, after) =>
    before.viewKey === after.viewKey &&
    Object.entries(after.row).every(([name, value]) => before.row[name as keyof ShownRow] === value),
);
