import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** CPU time that a process and all it started have used, by kind, in milliseconds; resident memory in bytes. */
export interface Usage {
  readonly nodeMs: number;
  readonly postgresMs: number;
  /** Of the largest Node process. */
  readonly rssBytes: number;
}

interface ProcessStat {
  readonly id: number;
  readonly parent: number;
  readonly name: string;
  readonly ticks: number;
}

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const pageSize = Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }));

/**
 * Reads what the process trees below (and with) `roots` have used so far, from /proc. The time of children that have ended
 * is with their parents, so that nothing is lost; it does not move with what else the machine does.
 */
export function measureUsage(...roots: readonly number[]): Usage {
  const processes = listProcesses();
  const tree = new Set(roots);
  for (let grown = true; grown;) {
    grown = false;
    for (const { id, parent } of processes) {
      if (!tree.has(parent) || tree.has(id)) continue;
      tree.add(id);
      grown = true;
    }
  }
  let [node, postgres, rss] = [0, 0, 0];
  for (const { id, name, ticks } of processes) {
    if (!tree.has(id)) continue;
    const milliseconds = (ticks * 1000) / ticksPerSecond;
    if (name.startsWith('postgres')) postgres += milliseconds;
    else {
      node += milliseconds;
      rss = Math.max(rss, residentBytes(id));
    }
  }
  return { nodeMs: node, postgresMs: postgres, rssBytes: rss };
}

function listProcesses(): ProcessStat[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => findProcess(Number(name)) ?? []);
}

function findProcess(id: number): ProcessStat | undefined {
  const stat = readFileOrEmpty(`/proc/${id}/stat`);
  const match = /^\d+ \((.*)\) (.*)$/s.exec(stat);
  const [, name, rest] = match ?? [];
  if (name === undefined || rest === undefined) return undefined;
  const fields = rest.split(' ');
  // utime, stime, and the same of ended children: fields 14 to 17 of proc(5).
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { id, parent: Number(fields[1]), name, ticks };
}

function residentBytes(id: number): number {
  return Number(readFileOrEmpty(`/proc/${id}/statm`).split(' ')[1] ?? 0) * pageSize;
}

/** A process may end between being listed and being read. */
function readFileOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
