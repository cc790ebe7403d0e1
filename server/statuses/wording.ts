import { presentAccounts } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { invalid, unprocessable, type Problem } from '../platform/http/problems.ts';
import type { AccountId } from '../platform/ids.ts';
import { cleanText, countCharacters, detectLanguage, exceedsLimit, isLanguage } from '../text/index.ts';
import type { PostedText } from './read-post.ts';

/** Characters of text and content warning together, as `countCharacters` counts them. */
export const mostCharacters = 500;

/** The texts of a status as they are stored. */
export interface Wording {
  readonly text: string;
  readonly spoilerText: string;
}

/**
 * Reads the texts of a status; a content warning without a text is the text. Throws 422 for what is too long, and for no
 * text where `mayBeBlank` does not say that there is something else to see.
 */
export function readWording(
  typed: { readonly text?: string | undefined; readonly spoilerText?: string | undefined },
  { mayBeBlank }: { mayBeBlank: boolean },
): Wording {
  const { text: typedText = '', spoilerText: typedSpoiler = '' } = typed;
  // Also as typed: scheduled statuses keep it.
  if (exceedsLimit(typedSpoiler + typedText, mostCharacters, () => 0)) throw tooLong();
  let text = cleanText(typedText).trim();
  let spoilerText = cleanText(typedSpoiler).trim();
  if (text === '') [text, spoilerText] = [spoilerText, ''];
  if (text === '' && !mayBeBlank) throw invalid("Text can't be blank");
  if (exceedsLimit(spoilerText + text, mostCharacters, countCharacters)) throw tooLong();
  return { text, spoilerText };
}

const tooLong = (): Problem =>
  invalid(`Text character limit of ${mostCharacters} exceeded`, {
    details: {
      text: [{ error: 'ERR_TOO_LONG', description: `is too long (maximum is ${mostCharacters} characters)` }],
    },
  });

/** Throws 422 with the accounts that a text names beyond those who were expected; `allowed` undefined allows everybody. */
export async function checkMentions(
  app: App,
  accountId: AccountId,
  { mentionedIds }: PostedText,
  allowed: readonly AccountId[] | undefined,
): Promise<void> {
  if (allowed === undefined) return;
  const unexpected = mentionedIds.filter((id) => id !== accountId && !allowed.includes(id));
  if (unexpected.length === 0) return;
  const accounts = await presentAccounts(app, unexpected);
  throw unprocessable('Post would be sent to unexpected accounts', {
    unexpected_accounts: accounts.map(({ text }): unknown => JSON.parse(text)),
  });
}

/** The language of a text: the one named if there is such, else the author's usual one, else what it looks like. */
export function languageOf(
  text: string,
  asked: string | undefined,
  preferred: string | null | undefined,
): string | null {
  if (asked !== undefined && isLanguage(asked)) return asked;
  return preferred ?? detectLanguage(text) ?? null;
}
