import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { withParameters } from '../../oauth/authorize/index.ts';
import type { App } from '../../platform/app.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html, type Html } from '../../platform/http/html.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import type { Message } from '../../platform/i18n/message.ts';
import type { Translator } from '../../platform/i18n/translator.ts';
import type { Route } from '../../platform/http/routes.ts';
import type { StatusId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { maxStatusCharacters, postStatus } from '../../statuses/post/index.ts';
import { presentStatus, requireVisibleStatus } from '../../statuses/read/index.ts';
import type { Status } from '../../statuses/index.ts';
import type { Privacy } from '../../users/index.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { loadUserSettings } from '../../users/settings/index.ts';
import { field, form, hiddenField, notice } from '../render/forms.ts';
import { redirectTo, renderPage } from '../render/layout.ts';
import { pageRoute, signedInPageRoute } from '../page-routes.ts';
import { statusCard } from '../render/status-card.ts';
import type { Visitor } from '../visitor.ts';

const visibilities = ['public', 'unlisted', 'private', 'direct'] as const satisfies readonly Privacy[];

const text = Type.Optional(Type.String());
const replyTo = Type.Optional(idSchema<'status'>());

interface Draft {
  readonly status: string;
  readonly spoilerText: string;
  readonly visibility: Privacy;
  readonly inReplyToId: StatusId | undefined;
  /** Lets a form that is submitted twice post once. */
  readonly idempotencyKey: string;
}

/** The page that other sites send visitors to who want to share a link with a local account. */
export const shareRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/share', {
    summary: 'Show the form to write a post, filled in with a text and a link',
    input: Type.Object({ text, title: text, url: text, in_reply_to_id: replyTo }),
    async handle({ visitor, session, input }) {
      const { default_privacy: visibility } = await loadUserSettings(visitor.app, session.accountId);
      const shared = [input.title, input.text, input.url].filter((part) => part !== undefined && part.trim() !== '');
      const reply = await replyDraft(visitor, session, input.in_reply_to_id);
      return composePage(visitor, session, {
        status: shared.join(' '),
        spoilerText: '',
        visibility,
        inReplyToId: undefined,
        idempotencyKey: randomUUID(),
        ...reply,
      });
    },
  }),

  pageRoute('POST', '/publish', {
    summary: 'Show the form to write a post with the text that another app shared',
    // The operating system sends it (share_target of the manifest). The service worker of the web client takes it, with the
    // files, unless the browser deleted it.
    needsFormToken: false,
    input: Type.Object({ text, title: text, url: text }),
    handle: ({ visitor, input: { title, text: shared, url } }) =>
      redirectTo(visitor, withParameters('/share', { title, text: shared, url })),
  }),

  signedInPageRoute('POST', '/share', {
    summary: 'Post the draft',
    rateLimit: 'statuses',
    input: Type.Object({
      status: text,
      spoiler_text: text,
      visibility: Type.Optional(Type.Enum([...visibilities])),
      in_reply_to_id: replyTo,
      idempotency_key: text,
    }),
    async handle({ visitor, session, input }) {
      const draft: Draft = {
        status: input.status ?? '',
        spoilerText: input.spoiler_text ?? '',
        visibility: input.visibility ?? 'public',
        inReplyToId: input.in_reply_to_id,
        idempotencyKey: input.idempotency_key ?? randomUUID(),
      };
      try {
        return redirectTo(visitor, await postDraft(visitor, session, draft));
      } catch (error) {
        if (!(error instanceof HttpError) || error.status !== 422) throw error;
        return composePage(visitor, session, draft, error.text);
      }
    },
  }),
];

/** Posts a draft. Returns the path of its page, or of the form if the post is not public. */
async function postDraft({ app }: Visitor, session: Session, draft: Draft): Promise<string> {
  const { status, spoilerText, visibility, inReplyToId, idempotencyKey } = draft;
  const id = await postStatus(app, session.accountId, {
    text: status,
    spoilerText,
    visibility,
    inReplyToId,
    idempotencyKey: `share ${idempotencyKey}`,
  });
  const isPublic = visibility === 'public' || visibility === 'unlisted';
  return isPublic ? `/@${session.username}/${id}` : '/share?posted=1';
}

/** A reply begins with the people to mention and is at most as public as its parent. Throws 404 for a hidden parent. */
async function replyDraft(
  { app }: Visitor,
  session: Session,
  inReplyToId: StatusId | undefined,
): Promise<Partial<Draft> | undefined> {
  if (inReplyToId === undefined) return undefined;
  const parent = await loadParent(app, session, inReplyToId);
  const people = [parent.account, ...parent.mentions].filter(({ id }) => id !== session.accountId);
  const names = [...new Set(people.map(({ acct }) => `@${acct} `))];
  return { inReplyToId, status: names.join(''), spoilerText: parent.spoiler_text, visibility: parent.visibility };
}

/** Returns the status to reply to. Throws 404 if the viewer may not see it. */
async function loadParent(app: App, viewer: Session, id: StatusId): Promise<Status> {
  await requireVisibleStatus(app, viewer.accountId, id);
  return (await presentStatus(app, viewer, id)).parse();
}

async function composePage(visitor: Visitor, session: Session, draft: Draft, problem?: Message): Promise<HttpResponse> {
  const { app, t } = visitor;
  const { status, spoilerText, visibility, inReplyToId, idempotencyKey } = draft;
  const parent = inReplyToId === undefined ? undefined : await loadParent(app, session, inReplyToId);
  const fields = html`${hiddenField('idempotency_key', idempotencyKey)}${hiddenField('in_reply_to_id', inReplyToId)}
    ${field({ label: t('composer.warning'), name: 'spoiler_text', value: spoilerText, autocomplete: 'off', optional: true })}
    ${field({ label: t('interact.yourPost'), name: 'status', value: status, autocomplete: 'off', multiline: true, hint: t('interact.postHint', { max: maxStatusCharacters }) })}
    <div class="field">
      <label for="visibility">${t('interact.whoCanSee')}</label>${visibilitySelect(t, visibility)}
    </div>
    <div class="buttons"><button>${t('composer.publish')}</button></div>`;
  const title = t(inReplyToId === undefined ? 'composer.title' : 'interact.reply');
  return renderPage(visitor, {
    title,
    status: problem === undefined ? 200 : 422,
    wide: parent !== undefined,
    body: html`${parent !== undefined && statusCard(t, parent)}
      <div class="card">
        <h1>${title}</h1>
        ${problem !== undefined && notice(problem.render(t.locale), 'bad')}
        ${visitor.request.url.includes('posted=1') && notice(t('interact.postSent'), 'good')}
        ${form(visitor, '/share', fields)}
      </div>`,
  });
}

const visibilitySelect = (t: Translator, chosen: Privacy): Html =>
  html`<select id="visibility" name="visibility">
    ${visibilities.map(
      (visibility) =>
        html`<option value="${visibility}" ${visibility === chosen && html`selected`}>
          ${t(`interact.${visibility}`)}
        </option>`,
    )}
  </select>`;
