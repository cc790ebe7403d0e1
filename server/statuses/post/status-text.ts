import { presentAccounts } from '../../accounts/present/index.ts';
import type { App } from '../../platform/app.ts';
import { HttpError, validationError, invalidField } from '../../platform/http/http-errors.ts';
import { message } from '../../platform/i18n/message.ts';
import type { AccountId } from '../../platform/ids.ts';
import { cleanText, exceedsLimit, isTooLarge } from '../../text/index.ts';
import { detectLanguage, findLanguage } from '../../text/languages/index.ts';
import type { FormattedText } from './format-status-text.ts';

/** Maximum length of text and content warning together, where a link counts 23 (`exceedsLimit`). */
export const maxStatusCharacters = 500;

/** The texts of a status as they are stored. */
export interface StatusText {
  readonly text: string;
  readonly spoilerText: string;
}

/**
 * Parses the texts of a status. A content warning without a text becomes the text. Throws 422 if they are too long, or
 * blank without `allowBlank`.
 */
export function parseStatusText(
  typed: { readonly text?: string | undefined; readonly spoilerText?: string | undefined },
  { allowBlank }: { allowBlank: boolean },
): StatusText {
  const { text: typedText = '', spoilerText: typedSpoiler = '' } = typed;
  // Also limits the untrimmed input, which scheduled statuses store.
  if (isTooLarge(typedSpoiler + typedText, maxStatusCharacters, { links: true })) throw textTooLongError();
  let text = cleanText(typedText).trim();
  let spoilerText = cleanText(typedSpoiler).trim();
  if (text === '') [text, spoilerText] = [spoilerText, ''];
  if (text === '' && !allowBlank) throw invalidField('text', 'problems.blank');
  if (exceedsLimit(spoilerText + text, maxStatusCharacters, { links: true })) throw textTooLongError();
  return { text, spoilerText };
}

const textTooLongError = (): HttpError =>
  validationError(message('statuses.textTooLong', { max: maxStatusCharacters }), {
    details: {
      text: [{ error: 'ERR_TOO_LONG', description: message('problems.tooLong', { max: maxStatusCharacters }) }],
    },
  });

/** Throws 422 with the mentioned accounts that are not in `allowed`. Undefined allows all. */
export async function assertMentionsAllowed(
  app: App,
  accountId: AccountId,
  { mentionedIds }: FormattedText,
  allowed: readonly AccountId[] | undefined,
): Promise<void> {
  if (allowed === undefined) return;
  const unexpected = mentionedIds.filter((id) => id !== accountId && !allowed.includes(id));
  if (unexpected.length === 0) return;
  const accounts = await presentAccounts(app, { accountId }, unexpected);
  throw new HttpError(422, message('statuses.unexpectedAccounts'), {
    unexpected_accounts: accounts.map(({ text }): unknown => JSON.parse(text)),
  });
}

/** Returns the listed language that is nearest to the requested one, else the author's default, else the detected one. */
export function chooseLanguage(
  text: string,
  requested: string | undefined,
  preferred: string | null | undefined,
): string | null {
  return findLanguage(requested ?? '') ?? preferred ?? detectLanguage(text) ?? null;
}
