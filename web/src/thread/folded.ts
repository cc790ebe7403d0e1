import { signal } from '@preact/signals';

const maxFolded = 500;
/** The ids of the replies whose replies are folded, as long as the client runs. */
const folded = signal<ReadonlySet<string>>(new Set());

export const foldedReplies = (): ReadonlySet<string> => folded.value;

/** Hides or shows the replies to a reply. */
export function setFolded(id: string, isFolded: boolean): void {
  const others = [...folded.peek()].filter((other) => other !== id);
  folded.value = new Set(isFolded ? [...others, id].slice(-maxFolded) : others);
}

/** Shows the replies to each of these. */
export function unfold(ids: readonly string[]): void {
  if (ids.some((id) => folded.peek().has(id)))
    folded.value = new Set([...folded.peek()].filter((id) => !ids.includes(id)));
}
