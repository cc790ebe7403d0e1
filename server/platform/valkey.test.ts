import { expect, test } from 'vitest';
import { ValkeyServer } from '../../test/valkey-server.ts';
import { measureValkey } from './valkey.ts';

test('the memory of Valkey is measured, and unknown while it is down', async () => {
  await using valkey = new ValkeyServer();
  await valkey.start();
  expect(await measureValkey(valkey.url)).toBe(1_048_576);
  await valkey.stop();
  expect(await measureValkey(valkey.url)).toBeUndefined();
});
