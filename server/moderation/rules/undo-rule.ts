import { Type } from 'typebox';
import { lockModerationRule } from '../../moderation-rules/manage/index.ts';
import { listMatchesToUndo, markUndone } from '../../moderation-rules/matching/index.ts';
import type { ModerationRuleId } from '../../moderation-rules/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { newId, noId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { undoMatch } from './undo-match.ts';

/** Matches that one job undoes. */
const batchSize = 50;

/**
 * Queues the undoing of everything that a rule did so far: held posts are published, marks and limits lifted, reports
 * resolved. What it refused was not stored and stays refused. Throws 404 for an unknown id.
 */
export function undoModerationRule(app: App, staff: Staff, id: ModerationRuleId): Promise<void> {
  return transaction(app, async (tx) => {
    const { title } = await lockModerationRule(tx, id);
    recordStaffAction(tx, staff, { target: 'moderation_rule', verb: 'undo', id, label: title });
    tx.enqueue(undoMatches({ ruleId: id, afterId: noId, throughId: newId<'row'>(app.clock.now()) }));
  });
}

/** Undoes a batch of matches, oldest first. Idempotent: each is marked once it is undone. */
export const undoMatches = defineJob(
  'moderation.undo_rule',
  Type.Object({
    ruleId: idSchema<'moderation-rule'>(),
    afterId: idSchema<'row'>(),
    throughId: idSchema<'row'>(),
  }),
  async (app, { ruleId, afterId, throughId }) => {
    const matches = await listMatchesToUndo(app, { ruleId, afterId, throughId, limit: batchSize });
    for (const match of matches) {
      try {
        if (await undoMatch(app, match)) await transaction(app, (tx) => markUndone(tx, app, match.id));
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        app.log.info({ err: error, matchId: match.id }, 'cannot undo what a moderation rule did');
      }
    }
    const last = matches.at(-1);
    if (last === undefined || matches.length < batchSize) return;
    await transaction(app, async ({ enqueue }) => enqueue(undoMatches({ ruleId, afterId: last.id, throughId })));
  },
  'background',
);
