import type { Static } from 'typebox';
import { accountDeleted, accountSuspended } from '../../accounts/index.ts';
import { tokensRevoked } from '../../oauth/index.ts';
import type { App } from '../../platform/app.ts';
import { everyProcess, type Subscription } from '../../platform/events/reactions.ts';
import { userAccessChanged } from '../../users/index.ts';
import { endInactive } from './heartbeat.ts';
import { streamHub } from './hub.ts';

/** Ends the streams of revoked tokens, suspended and deleted accounts and disabled users, right after the commit. */
export const endRevokedStreams: readonly Subscription[] = [
  everyProcess([tokensRevoked], { run: endRevoked }),
  everyProcess([accountSuspended, accountDeleted], {
    run: (app, { accountId }) =>
      void streamHub(app).endWhere(({ user }) => user.viewer.accountId === accountId, 'revoked'),
  }),
  everyProcess([userAccessChanged], {
    run: (app, { userId }) => {
      const connections = [...streamHub(app).connections()].filter(({ user }) => user.viewer.userId === userId);
      void endInactive(app, connections);
    },
  }),
];

function endRevoked(app: App, { tokenId, applicationId, userId }: Static<typeof tokensRevoked.schema>): void {
  void streamHub(app).endWhere(
    ({ user }) =>
      (tokenId === undefined || tokenId === user.tokenId) &&
      (applicationId === undefined || applicationId === user.applicationId) &&
      (userId === undefined || userId === user.viewer.userId),
    'revoked',
  );
}
