import type { Status } from '../api/entities.ts';

/** A reply in its place below the post that a page is about. */
export interface ArrangedReply {
  readonly id: string;
  /** 0 for replies to the post itself. A thread of one author goes on at the same depth. */
  readonly depth: number;
  /** Whether the row before is what it replies to, at the same depth. */
  readonly continues: boolean;
  /** Replies to it that are not among the loaded ones. */
  readonly missing: number;
  /** Loaded replies below it, at any depth: the rows that follow. */
  readonly below: number;
}

type Reply = Pick<Status, 'id' | 'in_reply_to_id' | 'replies_count'> & {
  readonly account: Pick<Status['account'], 'id'>;
};

/** Puts replies below what they answer. Those whose parent is not loaded stand at the end, at depth 0. */
export function arrangeReplies(root: Reply, descendants: readonly Reply[]): readonly ArrangedReply[] {
  const children = Map.groupBy(descendants, ({ in_reply_to_id: parent }) => parent ?? '');
  const rows: ArrangedReply[] = [];
  const placed = new Set<string>();
  const place = (reply: Reply, depth: number, continues: boolean): void => {
    if (placed.has(reply.id)) return;
    placed.add(reply.id);
    const replies = children.get(reply.id) ?? [];
    const missing = replies.length === 0 ? reply.replies_count : 0;
    const at = rows.push({ id: reply.id, depth, continues, missing, below: 0 });
    const own = replies.length === 1 && replies[0]?.account.id === reply.account.id;
    for (const child of replies) place(child, own ? depth : depth + 1, own);
    rows[at - 1] = { id: reply.id, depth, continues, missing, below: rows.length - at };
  };
  const direct = children.get(root.id) ?? [];
  // What the author wrote next belongs to the post itself.
  const first = direct.filter(({ account }) => account.id === root.account.id);
  const others = direct.filter(({ account }) => account.id !== root.account.id);
  for (const reply of [...first, ...others]) place(reply, 0, false);
  for (const reply of descendants) place(reply, 0, false);
  return rows;
}

/** Returns the rows without those below folded ones. */
export function unfoldedRows(rows: readonly ArrangedReply[], folded: ReadonlySet<string>): readonly ArrangedReply[] {
  const shown: ArrangedReply[] = [];
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index];
    if (row === undefined) break;
    shown.push(row);
    if (folded.has(row.id)) index += row.below;
  }
  return shown;
}

/** Returns the rows above a row of which it is a part: the replies that it answers, directly or not. */
export const rowsAbove = (rows: readonly ArrangedReply[], id: string): readonly ArrangedReply[] => {
  const at = rows.findIndex((row) => row.id === id);
  return rows.filter((row, index) => index < at && index + row.below >= at);
};
