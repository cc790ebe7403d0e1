import { signal } from '@preact/signals';
import { request, type RequestOptions } from '../api/client.ts';
import { showError } from './toasts.tsx';
import { sendLater } from './undo.ts';

/** The addresses of what the reader removed, and what lists therefore leave out. */
const hidden = signal<ReadonlySet<string>>(new Set());

/** Whether something is not shown, because it is removed now or when it can no longer be undone. `path`: its address in the API. */
export const isRemoved = (path: string): boolean => hidden.value.has(path);

/** Hides what is at an address from everything that asks `isRemoved`, until the returned function is called. */
export function hide(path: string): () => void {
  hidden.value = new Set([...hidden.peek(), path]);
  return () => (hidden.value = new Set([...hidden.peek()].filter((one) => one !== path)));
}

interface Removal extends Pick<RequestOptions, 'query'> {
  /** What was done, in words: "List deleted". */
  readonly text: string;
  readonly path: string;
  /** Sends the removal to the server. Default: DELETE of the path. */
  readonly send?: () => Promise<unknown>;
  /** Removes it from what is loaded. Without, it stays hidden: something else at the same address never follows. */
  readonly onRemoved?: () => void;
}

/**
 * Removes something. It disappears at once. The request is sent when the time to undo it is over. If the reader undoes it, or
 * the server refuses it, it appears again; a refusal also shows a message. Resolves to whether it is removed.
 */
export async function removeLater(removal: Removal): Promise<boolean> {
  const { text, path, query, onRemoved } = removal;
  const options = { keepalive: true, ...(query !== undefined && { query }) };
  const { send = () => request('DELETE', path, options) } = removal;
  const show = hide(path);
  return sendLater(text, async (mayBeSent) => {
    if (!(await mayBeSent)) {
      show();
      return false;
    }
    try {
      await send();
    } catch (error) {
      show();
      showError(error, () => void removeLater(removal));
      return false;
    }
    if (onRemoved === undefined) return true;
    onRemoved();
    show();
    return true;
  });
}
