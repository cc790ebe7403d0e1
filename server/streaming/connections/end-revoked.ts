import type { Static } from 'typebox';
import { accountDeleted, accountSuspended } from '../../accounts/index.ts';
import { tokensRevoked } from '../../oauth/index.ts';
import type { App } from '../../platform/app.ts';
import { reportTemporaryFailure } from '../../platform/temporary-failures.ts';
import { publish } from '../../platform/write/reactions.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import { siteSettingsChanged } from '../../site/index.ts';
import { feedSettings } from '../../timelines/access/index.ts';
import { everyoneRoleId } from '../../users/access/index.ts';
import { isAccessDenied, passesIpBlocks } from '../../users/ip-blocks/index.ts';
import { ipBlocksChanged, roleChanged, sessionsEnded, userAccessChanged } from '../../users/index.ts';
import { endInactive } from './heartbeat.ts';
import { streamHub } from './hub.ts';

/**
 * Ends the streams of revoked tokens, ended sessions, suspended and deleted accounts, disabled users, users who lost permissions and
 * blocked IP addresses, and public streams whose audience changed, right after the commit.
 */
export const endRevokedStreams: readonly Subscription[] = [
  publish([tokensRevoked], { run: endRevoked }),
  publish([sessionsEnded], {
    run: (app, { sessionIds }) =>
      void streamHub(app).endWhere(
        ({ user: { sessionId } }) => sessionId !== undefined && sessionIds.includes(sessionId),
        'revoked',
      ),
  }),
  publish([accountSuspended, accountDeleted], {
    run: (app, { accountId }) =>
      void streamHub(app).endWhere(({ user }) => user.viewer.accountId === accountId, 'revoked'),
  }),
  publish([userAccessChanged], {
    run: (app, { userId }) => {
      const connections = [...streamHub(app).connections()].filter(({ user }) => user.viewer.userId === userId);
      void endInactive(app, connections);
    },
  }),
  publish([roleChanged], {
    run: (app, { roleId }) => {
      const connections = [...streamHub(app).connections()].filter(
        ({ user: { viewer } }) => roleId === everyoneRoleId || viewer.roleId === roleId,
      );
      void endInactive(app, connections);
    },
  }),
  publish([siteSettingsChanged], {
    run: (app, { names }) => {
      if (!names.some((name) => feedSettings.includes(name))) return;
      void streamHub(app).endWhere(
        ({ subscriptions }) => subscriptions.some(({ key }) => /^(?:public|hashtag)/u.test(key)),
        'changed',
      );
    },
  }),
  publish([ipBlocksChanged], { run: (app) => void endDenied(app) }),
];

function endRevoked(app: App, { tokenId, applicationId, userId }: Static<typeof tokensRevoked.schema>): void {
  void streamHub(app).endWhere(
    ({ user }) =>
      user.sessionId === undefined &&
      (tokenId === undefined || tokenId === user.tokenId) &&
      (applicationId === undefined || applicationId === user.applicationId) &&
      (userId === undefined || userId === user.viewer.userId),
    'revoked',
  );
}

async function endDenied(app: App): Promise<void> {
  const denied = new Set<string>();
  try {
    for (const ip of new Set([...streamHub(app).connections()].map(({ user }) => user.ip))) {
      if (await isAccessDenied(app, ip)) denied.add(ip);
    }
  } catch (error) {
    if (!reportTemporaryFailure(app, error)) app.log.error({ err: error }, 'streams of blocked addresses did not end');
  }
  void streamHub(app).endWhere(
    ({ user: { ip, viewer } }) => denied.has(ip) && !passesIpBlocks(viewer.roleId),
    'revoked',
  );
}
