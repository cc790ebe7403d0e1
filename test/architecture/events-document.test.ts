import { expect, test } from 'vitest';
import { renderEventsDocument } from './events-document.ts';

test('docs/events.md lists every event with its reactions', async () => {
  await expect(renderEventsDocument()).toMatchFileSnapshot('../../docs/events.md');
});
