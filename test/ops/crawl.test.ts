import { expect, test } from 'vitest';
import { Installation } from './cli-process.ts';

test('servers that do not answer are reported from the command line', async () => {
  await using installation = new Installation({ LOG_LEVEL: 'error' });
  const refused = await installation.runToEnd('domain', 'crawl', 'no domain');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Not a domain: no domain')]);
  const json = await installation.runToEnd('domain', 'crawl', 'gone.invalid', 'away.invalid', '--limit', '1', '--json');
  expect([json.code, JSON.parse(json.stdout)]).toEqual([
    0,
    [expect.objectContaining({ domain: 'gone.invalid', error: expect.any(String), software: null })],
  ]);
  // Nobody is known yet.
  const { code, stdout } = await installation.runToEnd('domain', 'crawl');
  expect([code, stdout]).toEqual([0, '0 of 0 servers answered.\n']);
});
