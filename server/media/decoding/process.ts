/**
 * The decoding process: takes one task at a time from the server that started it. What a hostile file does to a decoder
 * happens here, under limits that the parent sets and enforces (decoders.ts).
 */
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { runTask } from './run-task.ts';
import { Refused, type Reply, type Task } from './tasks.ts';

// The server is gone, and so is whoever would want the result: this process ends with what it started.
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
    if (error instanceof Refused) return { refused: error.message };
    const reason = String(error).slice(0, 500);
    return (await isDiskFull(reason, task.path)) ? { full: reason } : { failed: reason };
  }
}

/** The libraries say it in words only, and not all of them do: a disk with next to nothing free counts as full, too. */
async function isDiskFull(reason: string, path: string): Promise<boolean> {
  if (/no space left|quota exceeded|\b(?:ENOSPC|EDQUOT)\b/i.test(reason)) return true;
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize < 1024 * 1024;
}
