import { expect, test } from 'vitest';
import { routes } from '../../server/app.ts';
import { findRouteDeclarations } from '../../server/cli/list-routes.ts';

test('the path of each route is a literal, and no path has two routes for one method', () => {
  const literals = Map.groupBy(findRouteDeclarations(), ({ path }) => path);
  const methodsByPath = Map.groupBy(routes, ({ path }) => path);
  const wrong = [...methodsByPath]
    // Derived from the paths of actors by name.
    .filter(([path]) => !path.startsWith('/ap/users/:account_id'))
    .filter(([path, { length }]) => literals.get(path)?.length !== length)
    .map(([path, declared]) => `${path}: ${declared.length} routes, ${literals.get(path)?.length ?? 0} literals`);
  expect(methodsByPath.size).toBeGreaterThan(200);
  expect(wrong).toEqual([]);
});

test('MED-01: a large body may arrive slowly', () => {
  const large = routes.filter(
    ({ options: { bodyLimit = 0 } }) => typeof bodyLimit === 'function' || bodyLimit > 2_000_000,
  );
  expect(large.map(({ path }) => path)).toContain('/api/v2/media');
  expect(large.filter(({ options }) => options.allowSlowBody !== true).map(({ path }) => path)).toEqual([]);
});

/** The verbs of summaries in the imperative. Extend the list if none of them fits. */
const verbs =
  `Accept Add Allow Appeal Apply Approve Ask Assign Authorize Block Bookmark Change Check Close Compare Complete Confirm Copy
  Count Create Delete Deny Describe Disable Dismiss Do Download Edit Enable End Expire Export Favourite Feature Fetch Find Follow
  Generate Get Import Leave Let Lift Limit List Mail Make Mark Move Mute Open Pin Post Publish Put React Reblog Receive Redirect Refuse
  Register Reject Remove Rename Replace Report Request Resend Return Revoke Search Send Set Show Sign Stop Store Stream
  Subscribe Take Translate Turn Unblock Undo Unfollow Unmute Unpin Unsubscribe Update Upload Vote Warn Withdraw`.split(
    /\s+/u,
  );

test('the summary of each route is in the imperative', () => {
  const summaries = new Set(routes.map(({ options: { summary } }) => summary));
  expect([...summaries].filter((summary) => !verbs.includes(summary.split(/[ ,]/u, 1)[0] ?? ''))).toEqual([]);
});
