import { Type } from 'typebox';
import { instanceActorId } from '../../accounts/index.ts';
import { post, type Route } from '../../platform/http/routes.ts';
import { requireActiveActor } from '../serving/local-actor.ts';
import { forServers } from '../serving/for-servers.ts';
import { receiveRequest } from './receive-request.ts';

const inbox = { ...forServers, onlyAdds: true, rawBody: true, englishErrors: true, bodyLimit: 1_048_576 } as const;

const sharedInbox = post('/inbox', {
  summary: 'Receive an activity in the shared inbox',
  ...inbox,
  handle: ({ app, request }) => receiveRequest(app, request),
});

/** The inbox of a local account. That of the instance actor is like the shared inbox: it has no owner who reads posts. */
const personalInbox = post('/users/:username/inbox', {
  summary: 'Receive an activity in a personal inbox',
  ...inbox,
  params: Type.Object({ username: Type.String() }),
  async handle({ app, params, request }) {
    const { id } = await requireActiveActor(app, params.username);
    return receiveRequest(app, request, id === instanceActorId ? undefined : id);
  },
});

const instanceInbox = post('/actor/inbox', {
  summary: 'Receive an activity in the inbox of the instance actor',
  ...inbox,
  handle: ({ app, request }) => receiveRequest(app, request),
});

export const inboxRoutes: readonly Route[] = [sharedInbox, personalInbox, instanceInbox];
