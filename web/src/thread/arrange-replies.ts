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
    rows.push({ id: reply.id, depth, continues, missing });
    const own = replies.length === 1 && replies[0]?.account.id === reply.account.id;
    for (const child of replies) place(child, own ? depth : depth + 1, own);
  };
  const direct = children.get(root.id) ?? [];
  // What the author wrote next belongs to the post itself.
  const first = direct.filter(({ account }) => account.id === root.account.id);
  const others = direct.filter(({ account }) => account.id !== root.account.id);
  for (const reply of [...first, ...others]) place(reply, 0, false);
  for (const reply of descendants) place(reply, 0, false);
  return rows;
}
