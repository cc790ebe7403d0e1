import { createServer } from 'node:net';

/**
 * Below the ports that the system chooses for connections and for `listen(0)`, from 32768 on Linux (ip_local_port_range).
 * Browsers refuse none of them.
 */
const range = { first: 11_000, count: 21_000 };

/** Processes of a run have ids that follow each other. */
const portsPerProcess = 131;

let offset = process.pid * portsPerProcess;

/**
 * Returns a port that is not in use. It stays free until a program of the test listens on it, which takes seconds on a busy
 * machine: the system does not choose it for another one.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = range.first + (offset % range.count);
    offset += 1;
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
