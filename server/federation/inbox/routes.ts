import { Type } from 'typebox';
import { instanceActorId } from '../../accounts/index.ts';
import { post, type Route } from '../../platform/http/routes.ts';
import { requireActiveActor } from '../serving/local-actor.ts';
import { receiveRequest } from './receive-request.ts';

const maxBodyBytes = 1_048_576;

const sharedInbox = post('/inbox', {
  summary: 'Receive an activity in the shared inbox',
  access: 'anyone',
  response: Type.Unknown(),
  rateLimit: 'none',
  rawBody: true,
  englishErrors: true,
  bodyLimit: maxBodyBytes,
  undocumented: true,
  handle: ({ app, request }) => receiveRequest(app, request),
});

const personalInbox = post('/users/:username/inbox', {
  summary: 'Receive an activity in a personal inbox',
  access: 'anyone',
  params: Type.Object({ username: Type.String() }),
  response: Type.Unknown(),
  rateLimit: 'none',
  rawBody: true,
  englishErrors: true,
  bodyLimit: maxBodyBytes,
  undocumented: true,
  async handle({ app, params, request }) {
    const { id } = await requireActiveActor(app, params.username);
    return receiveRequest(app, request, id);
  },
});

const instanceInbox = post('/actor/inbox', {
  summary: 'Receive an activity in the inbox of the instance actor',
  access: 'anyone',
  response: Type.Unknown(),
  rateLimit: 'none',
  rawBody: true,
  englishErrors: true,
  bodyLimit: maxBodyBytes,
  undocumented: true,
  handle: ({ app, request }) => receiveRequest(app, request, instanceActorId),
});

export const inboxRoutes: readonly Route[] = [sharedInbox, personalInbox, instanceInbox];
