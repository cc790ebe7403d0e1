// Measures the web client in Chromium: npm run bench -- web. Writes a section of docs/benchmarks.md.
import { parseArgs } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { ensureWebClient } from '../../bin/build-web.mjs';
import { SeededServer } from '../seeded-server.ts';
import { writeSection } from '../write-section.ts';
import { fieldfare, signInAndStore } from './client-adapter.ts';
import { measureFavourite, measureScrolling, measureVisits } from './measure-client.ts';
import { createReader, fillHome, reader, withChromium } from './reader.ts';
import { measureHomeFiles, renderSection } from './web-report.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '200' },
    statuses: { type: 'string', default: '6000' },
    /** First and second visits. The report has their median. */
    rounds: { type: 'string', default: '7' },
    /** Posts that are scrolled through. */
    posts: { type: 'string', default: '2000' },
    port: { type: 'string', default: '3989' },
    /** Print the section and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});

if (!(await ensureWebClient())) throw new Error('the web client could not be built');

const seeded = new SeededServer({ name: 'web', ...values });
const origin = `http://localhost:${values.port}`;
try {
  const accountId = createReader(seeded.env);
  const result = await seeded.run(manifest.scripts.start, async (app) => {
    await fillHome(app, accountId);
    return measure();
  });
  writeSection(renderSection({ ...result, files: measureHomeFiles(), posts: Number(values.posts) }), values);
} finally {
  seeded.close();
}
process.exit(0);

function measure() {
  return withChromium(async (browser) => {
    const target = { adapter: fieldfare, browser, origin, storage: await signInAndStore(browser, origin, reader) };
    return {
      visits: await measureVisits(target, Number(values.rounds)),
      scrolling: await measureScrolling(target, Number(values.posts)),
      favouriteFrames: await measureFavourite(target),
    };
  });
}
