import type { App } from '../platform/app.ts';
import { write as inTransaction, type Write } from '../platform/database/write.ts';
import { invalid, notFound } from '../platform/http/problems.ts';
import { cleanText } from '../text/index.ts';
import { siteSettingsChanged } from './events.ts';
import { siteChannel } from './site-settings.ts';
import { staffAccountId, type Staff } from './staff.ts';

/** A rule as staff write it. */
export interface RuleInput {
  readonly text: string;
  /** Further explanation; empty for none. */
  readonly hint?: string | undefined;
  /** Rules are listed by position, then by age. */
  readonly position?: number | undefined;
}

/** Characters (reference/limits.tsv: rule text). */
const maxText = 300;
const maxHint = 5_000;

/** Adds a rule and returns its id. Throws 422 if the text is blank or too long. */
export async function addRule(app: App, staff: Staff, rule: RuleInput): Promise<string> {
  const values = readRule(rule);
  return inTransaction(app, async (write) => {
    const { id } = await write.db
      .insertInto('rules')
      .values({ text: rule.text, ...values })
      .returning('id')
      .executeTakeFirstOrThrow();
    noteChange(write, app, staff);
    return id;
  });
}

/** Changes a rule; what is left out stays. Throws 404 if there is none, 422 if the text is blank or too long. */
export async function editRule(app: App, staff: Staff, id: string, changes: Partial<RuleInput>): Promise<void> {
  const values = readRule(changes);
  await inTransaction(app, async (write) => {
    const { numUpdatedRows } = await write.db
      .updateTable('rules')
      // An update that sets nothing would be no statement.
      .set({ deleted_at: null, ...values })
      .where('id', '=', readId(id))
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw notFound();
    noteChange(write, app, staff);
  });
}

/** Deletes a rule; the row stays for the reports that name it. Throws 404 if there is none. */
export async function deleteRule(app: App, staff: Staff, id: string): Promise<void> {
  await inTransaction(app, async (write) => {
    const { numUpdatedRows } = await write.db
      .updateTable('rules')
      .set({ deleted_at: app.clock.now() })
      .where('id', '=', readId(id))
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw notFound();
    noteChange(write, app, staff);
  });
}

function readRule({ text, hint, position }: Partial<RuleInput>) {
  const values = {
    ...(text !== undefined && { text: cleanText(text).trim() }),
    ...(hint !== undefined && { hint: cleanText(hint).trim() }),
    ...(position !== undefined && { position }),
  };
  if (values.text === '') throw invalid("Text can't be blank");
  if ((values.text?.length ?? 0) > maxText) throw invalid(`Text is too long (maximum is ${maxText} characters)`);
  if ((values.hint?.length ?? 0) > maxHint) throw invalid(`Hint is too long (maximum is ${maxHint} characters)`);
  return values;
}

/** The id of a rule as a number of the database; 404 for what cannot be one. */
function readId(id: string): string {
  if (!/^\d{1,18}$/.test(id)) throw notFound();
  return id;
}

function noteChange({ emit, afterCommit }: Write, app: App, staff: Staff): void {
  emit(siteSettingsChanged({ names: ['rules'], staffId: staffAccountId(staff) }));
  afterCommit(() => app.bus.publish(siteChannel, 1));
}
