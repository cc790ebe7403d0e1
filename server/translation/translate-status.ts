import type { Schedule } from '../platform/work/run-schedules.ts';
import { createHash } from 'node:crypto';
import { perApp, type App } from '../platform/app.ts';
import { preparedQuery } from '../platform/database/prepared-query.ts';
import { transaction } from '../platform/write/transaction.ts';
import { FairSemaphore } from '../platform/fair-semaphore.ts';
import { forbidden, notFound, remoteUnavailable } from '../platform/http/http-errors.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { withDeadline } from '../platform/with-deadline.ts';
import { presentStatus, requireVisibleOriginal } from '../statuses/read/index.ts';
import { isPublicOrUnlisted } from '../statuses/visibility/index.ts';
import type { Status } from '../statuses/index.ts';
import { findLanguage } from '../text/languages/index.ts';
import { sanitizeHtml } from '../text/index.ts';
import { translationBackend } from './backend.ts';
import { findLanguagePair, languagePairs } from './languages.ts';
import type { Translation } from './schema.ts';
import type { TranslatedTexts, TranslationBackend } from './service.ts';
import { writable } from './tables.ts';
import { protectShortcodes, plainTextToHtml, sanitizeTranslation, htmlToPlainText } from './translation-markup.ts';

/** reference/limits.tsv, translation cache. */
const cacheTtlMs = 86_400_000;

/**
 * Translates a status: content, content warning, poll and media descriptions, in one request to the service while the
 * client waits. Throws 404 if the viewer may not see it or there is no service, 403 unless it is public or unlisted and the
 * service supports the languages, 503 if the service fails.
 */
export async function translateStatus(
  app: App,
  accountId: AccountId,
  { statusId, language }: { statusId: StatusId; language: string },
): Promise<Translation> {
  const { id, visibility } = await requireVisibleOriginal(app, accountId, statusId);
  const backend = translationBackend(app);
  if (backend === undefined) throw notFound();
  if (!isPublicOrUnlisted(visibility)) throw forbidden();
  // Rendered for anonymous viewers: the service gets no data of this viewer.
  const status = (await presentStatus(app, undefined, id)).parse();
  const target = findLanguage(language);
  const source = status.language === null ? null : (findLanguage(status.language) ?? null);
  const pair = target === undefined ? undefined : findLanguagePair(await languagePairs(app), source, target);
  if (pair === undefined) throw forbidden();
  const parts = translatableTexts(status);
  const texts = parts.filter((text) => text !== '');
  const answer = await translateTexts(app, backend, { accountId, texts, ...pair });
  return buildTranslation(status, { parts, answer, language: pair.target, provider: backend.provider });
}

type Poll = { readonly id: NonNullable<Translation['poll']>['id']; readonly options: readonly { title: string }[] };

/** Returns the texts to translate, some of them empty: content, content warning, poll options, descriptions. */
function translatableTexts(status: Status): string[] {
  const { options = [] } = pollOf(status) ?? {};
  const plain = [
    status.spoiler_text,
    ...options.map(({ title }) => title),
    ...status.media_attachments.map(({ description }) => description ?? ''),
  ];
  return [protectShortcodes(status.content), ...plain.map(plainTextToHtml)];
}

const pollOf = ({ poll }: Status): Poll | null => poll;

function buildTranslation(
  status: Status,
  translated: { parts: readonly string[]; answer: TranslatedTexts; language: string; provider: string },
): Translation {
  const answers = translated.answer.texts.values();
  const texts = translated.parts.map((sent) => (sent === '' ? '' : (answers.next().value ?? ''))).values();
  const next = (): string => texts.next().value ?? '';
  const content = sanitizeTranslation(status.content, next());
  const spoiler_text = htmlToPlainText(next());
  const poll = pollOf(status);
  return {
    content,
    spoiler_text,
    language: translated.language,
    poll: poll && { id: poll.id, options: poll.options.map(() => ({ title: htmlToPlainText(next()) })) },
    media_attachments: status.media_attachments.map(({ id, description }) => {
      const text = htmlToPlainText(next());
      return { id, description: description === null ? null : text };
    }),
    detected_source_language: translated.answer.source,
    provider: translated.provider,
  };
}

interface TranslationRequest {
  readonly accountId: AccountId;
  readonly texts: readonly string[];
  readonly source: string | null;
  readonly target: string;
}

/** Requests in progress, by key, so that concurrent calls share one. */
const inFlightRequests = perApp(() => new Map<string, Promise<TranslatedTexts>>());

/** Maximum time that a request waits for its turn: longer than the service takes for one. */
const maxWaitMs = 25_000;

/** Limits concurrent requests to the number of connections per host. Accounts take turns. */
const turns = perApp(() => new FairSemaphore(4));

const findStoredTranslation = preparedQuery<{ answer: TranslatedTexts }>()(
  (db, { key, since }: { key: string; since: Date }) =>
    db.selectFrom('translations').select('answer').where('key', '=', key).where('created_at', '>', since),
);

async function translateTexts(
  app: App,
  backend: TranslationBackend,
  input: TranslationRequest,
): Promise<TranslatedTexts> {
  const { texts, source, target } = input;
  if (texts.length === 0) return { texts, source: source ?? target };
  const key = createHash('sha256')
    .update(JSON.stringify([backend.provider, source, target, texts]))
    .digest('base64url');
  const running = inFlightRequests(app).get(key);
  if (running !== undefined) return running;
  const request = loadOrRequest(app, backend, { key, input });
  inFlightRequests(app).set(key, request);
  try {
    return await request;
  } finally {
    inFlightRequests(app).delete(key);
  }
}

async function loadOrRequest(
  app: App,
  backend: TranslationBackend,
  { key, input }: { key: string; input: TranslationRequest },
): Promise<TranslatedTexts> {
  const now = app.clock.now();
  const [row] = await findStoredTranslation(app, { key, since: new Date(now.getTime() - cacheTtlMs) });
  if (row !== undefined) return row.answer;
  const { accountId, texts, source, target } = input;
  const translated = await withDeadline(undefined, { ms: maxWaitMs, createError: remoteUnavailable }, (signal) =>
    turns(app).run(accountId, () => backend.translate(texts, source, target), signal),
  );
  // The response of a service is not trusted.
  const answer = { ...translated, texts: translated.texts.map((text) => sanitizeHtml(text)) };
  const values = { answer: JSON.stringify(answer), created_at: now };
  await transaction(app, ({ db }) =>
    writable(db)
      .insertInto('translations')
      .values({ key, ...values })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
      .execute(),
  );
  return answer;
}

/** Deletes expired translations. */
export const cleanUpTranslations: Schedule = {
  name: 'translation.clean_up_translations',
  pattern: '23 * * * *',
  async run(app) {
    const before = new Date(app.clock.now().getTime() - cacheTtlMs);
    await transaction(app, ({ db }) =>
      writable(db).deleteFrom('translations').where('created_at', '<', before).execute(),
    );
  },
};
