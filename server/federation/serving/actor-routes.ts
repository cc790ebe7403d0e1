import { Type } from 'typebox';
import { redirect, type Answer } from '../../platform/http/answers.ts';
import { get, type RequestFacts, type Route } from '../../platform/http/routes.ts';
import { actorUrls, instanceActorName } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { actorDocument } from '../documents/actor-document.ts';
import { actorContext } from '../documents/contexts.ts';
import { activityAnswer } from './answers.ts';
import { requireLocalActor } from './local-actor.ts';
import { wantsActivity } from './negotiation.ts';
import { checkSigner } from './signer.ts';

const username = Type.Object({ username: Type.String() });

const actor = get('/users/:username', {
  summary: 'An actor',
  access: 'anyone',
  params: username,
  response: Type.Unknown(),
  rateLimit: 'none',
  undocumented: true,
  async handle({ app, params, request }) {
    if (!wantsActivity(request))
      return redirect(actorUrls(app, (await requireLocalActor(app, params.username)).username).url);
    await checkSigner(app, request);
    return actorAnswer(app, params.username);
  },
});

/** Open even where documents are given to signers only: others need its key to check our signatures. */
const instanceActor = get('/actor', {
  summary: 'The actor of the server itself',
  access: 'anyone',
  response: Type.Unknown(),
  rateLimit: 'none',
  undocumented: true,
  handle: ({ app }) => actorAnswer(app, instanceActorName(app)),
});

export const actorRoutes: readonly Route[] = [actor, instanceActor];

async function actorAnswer(app: App, name: string): Promise<Answer> {
  const account = await requireLocalActor(app, name);
  return activityAnswer(app, await actorDocument(app, account), { context: actorContext });
}

/** The document at the address of a profile page, for a request that asks for it; undefined for everybody else. */
export async function actorAtPage(app: App, request: RequestFacts, name: string): Promise<Answer | undefined> {
  if (!wantsActivity(request)) return undefined;
  await checkSigner(app, request);
  return actorAnswer(app, name);
}
