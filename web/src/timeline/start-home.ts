import { onPublished } from '../composer/index.ts';
import { homeSource } from './sources.ts';
import { timelineOf } from './timeline.ts';

const patienceMs = 150;

/**
 * Loads the posts of home if the client opens there. Waits for them only briefly: the document requested them before, and
 * one paint with posts is sooner than one without and one with them.
 */
export async function startHome(): Promise<void> {
  const home = timelineOf(homeSource);
  onPublished((status) => {
    if (home.state.peek() !== 'empty') home.prepend(status);
  });
  if (!['/', '/home'].includes(globalThis.location.pathname)) return;
  const patience = new Promise<void>((resolve) => void setTimeout(resolve, patienceMs));
  await Promise.race([home.loadOnce(), patience]);
}
