import type { App } from '../platform/app.ts';
import { stopHeartbeat } from './connections/heartbeat.ts';
import { streamHub } from './connections/hub.ts';

/** Ends all streams of this process, because it stops. Takes about a second if a client does not answer. */
export async function closeStreams(app: App): Promise<void> {
  stopHeartbeat(app);
  await Promise.all(streamHub(app).endWhere(() => true, 'stopping'));
}
