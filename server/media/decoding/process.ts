/**
 * The decoding process: runs one task at a time for the server that started it. A hostile file can affect only this
 * process, under limits that the parent sets and enforces (decoders.ts).
 */
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { runTask } from './run-task.ts';
import { Refused, type Reply, type Task } from './tasks.ts';

// The server is gone and nobody needs the result: this process exits with the processes that it started.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
// Ctrl-C reaches the whole process group; the server finishes its requests first.
process.on('SIGINT', () => {});

process.on('message', (task: Task) => {
  void handleTask(task).then((reply) => process.send?.(reply));
});

async function handleTask(task: Task): Promise<Reply> {
  try {
    return { done: await runTask(task) };
  } catch (error) {
    if (error instanceof Refused) return { refused: error.refusal };
    const reason = String(error).slice(0, 500);
    return (await isDiskFull(reason, task.path)) ? { full: reason } : { failed: reason };
  }
}

/**
 * The libraries report a full disk only in the text of an error, and not always: a disk with almost no free space
 * counts as full, too.
 */
async function isDiskFull(reason: string, path: string): Promise<boolean> {
  if (/no space left|quota exceeded|\b(?:ENOSPC|EDQUOT)\b/i.test(reason)) return true;
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize < 1024 * 1024;
}
