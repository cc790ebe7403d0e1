// Measures other web clients beside ours: npm run bench -- web-rivals --client phanpy=FOLDER --client elk=FOLDER.
// Writes a section of docs/benchmarks.md.
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import manifest from '../../package.json' with { type: 'json' };
import { ensureWebClient } from '../../bin/build-web.mjs';
import { SeededServer } from '../seeded-server.ts';
import { writeSection } from '../write-section.ts';
import { fieldfare, signInAndStore } from './client-adapter.ts';
import { measureFavourite, measureScrolling, measureVisits, type Target } from './measure-client.ts';
import { createReader, fillHome, reader, withChromium } from './reader.ts';
import { parseClient, type ComparedClient } from './parse-client.ts';
import { renderComparison, type ClientResult } from './rivals-report.ts';
import { SecureFront } from './secure-front.ts';

const { values } = parseArgs({
  options: {
    /** `phanpy=FOLDER`, `phanpy@VERSION=FOLDER` or `phanpy=http://localhost:PORT`: the built files of a client. */
    client: { type: 'string', multiple: true, default: [] },
    accounts: { type: 'string', default: '200' },
    statuses: { type: 'string', default: '6000' },
    /** First and second visits. The report has their median. */
    rounds: { type: 'string', default: '3' },
    /** Posts that are scrolled through. */
    posts: { type: 'string', default: '200' },
    /** Of the server. The next ones are used for TLS in front of it and of each client. */
    port: { type: 'string', default: '3970' },
    /** Print the section and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});

const clients = [{ adapter: fieldfare, version: '', source: '' }, ...values.client.map(parseClient)];
if (!(await ensureWebClient())) throw new Error('the web client could not be built');

const front = new SecureFront();
const port = Number(values.port);
const server = await front.forward(port + 1, port);
const seeded = new SeededServer({ name: 'rivals', ...values, env: { BASE_URL: server } });
try {
  const accountId = createReader(seeded.env);
  const results = await seeded.run(manifest.scripts.start, async (app) => {
    await fillHome(app, accountId);
    return withChromium((browser) => measureAll(browser));
  });
  writeSection(renderComparison(results, Number(values.posts)), values);
} finally {
  seeded.close();
  front.close();
}
process.exit(0);

async function measureAll(browser: Browser): Promise<ClientResult[]> {
  const results: ClientResult[] = [];
  for (const [index, client] of clients.entries()) {
    const origin = await findOrigin(client, port + 1 + index);
    const storage = await signInAndStore(browser, origin, { ...reader, server }, client.adapter);
    const target: Target = { adapter: client.adapter, browser, origin, storage };
    results.push({
      client,
      visits: await measureVisits(target, Number(values.rounds)),
      scrolling: await measureScrolling(target, Number(values.posts)),
      favouriteFrames: await measureFavourite(target),
    });
    process.stderr.write(`${client.adapter.title} is measured.\n`);
  }
  return results;
}

/** Serves a client with TLS, unless it is served already or comes from our server. */
function findOrigin({ source }: ComparedClient, clientPort: number): Promise<string> {
  if (source === '') return Promise.resolve(server);
  return source.includes('://') ? Promise.resolve(source.replace(/\/$/, '')) : front.serve(clientPort, source);
}
