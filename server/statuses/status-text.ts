import { presentAccounts } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { validationFailed, unprocessable, type HttpError } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';
import { cleanText, countCharacters, detectLanguage, exceedsLimit, isLanguage } from '../text/index.ts';
import type { FormattedText } from './format-status-text.ts';

/** Characters of text and content warning together, as `countCharacters` counts them. */
export const maxStatusCharacters = 500;

/** The texts of a status as they are stored. */
export interface StatusText {
  readonly text: string;
  readonly spoilerText: string;
}

/**
 * Reads the texts of a status; a content warning without a text is the text. Throws 422 for what is too long, and for no
 * text where `mayBeBlank` does not say that there is something else to see.
 */
export function parseStatusText(
  typed: { readonly text?: string | undefined; readonly spoilerText?: string | undefined },
  { allowBlank }: { allowBlank: boolean },
): StatusText {
  const { text: typedText = '', spoilerText: typedSpoiler = '' } = typed;
  // Also as typed: scheduled statuses keep it.
  if (exceedsLimit(typedSpoiler + typedText, maxStatusCharacters, () => 0)) throw textTooLongError();
  let text = cleanText(typedText).trim();
  let spoilerText = cleanText(typedSpoiler).trim();
  if (text === '') [text, spoilerText] = [spoilerText, ''];
  if (text === '' && !allowBlank) throw validationFailed("Text can't be blank");
  if (exceedsLimit(spoilerText + text, maxStatusCharacters, countCharacters)) throw textTooLongError();
  return { text, spoilerText };
}

const textTooLongError = (): HttpError =>
  validationFailed(`Text character limit of ${maxStatusCharacters} exceeded`, {
    details: {
      text: [{ error: 'ERR_TOO_LONG', description: `is too long (maximum is ${maxStatusCharacters} characters)` }],
    },
  });

/** Throws 422 with the accounts that a text names beyond those who were expected; `allowed` undefined allows everybody. */
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
  throw unprocessable('Post would be sent to unexpected accounts', {
    unexpected_accounts: accounts.map(({ text }): unknown => JSON.parse(text)),
  });
}

/** The language of a text: the one named if there is such, else the author's usual one, else what it looks like. */
export function chooseLanguage(
  text: string,
  requested: string | undefined,
  preferred: string | null | undefined,
): string | null {
  if (requested !== undefined && isLanguage(requested)) return requested;
  return preferred ?? detectLanguage(text) ?? null;
}
