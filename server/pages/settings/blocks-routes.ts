import { Type } from 'typebox';
import { findAccountByAcct } from '../../accounts/find/index.ts';
import { loadCachedAccounts } from '../../accounts/present/index.ts';
import type { App } from '../../platform/app.ts';
import { html, type Html } from '../../platform/http/html.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { parsePage } from '../../platform/http/pages.ts';
import type { Route } from '../../platform/http/routes.ts';
import { idSchema, type AccountId } from '../../platform/ids.ts';
import {
  blockAccount,
  blockDomain,
  listDomainBlocks,
  muteAccount,
  unblockAccount,
  unblockDomain,
  unmuteAccount,
} from '../../relationships/hide/index.ts';
import { listBlocks, listMutes } from '../../relationships/read/index.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { signedInPageRoute } from '../page-routes.ts';
import { field, form, hiddenField } from '../render/forms.ts';
import type { Visitor } from '../visitor.ts';
import { saveSettings, settingsPage, type SettingsState } from './settings-page.ts';

const path = '/settings/blocks';
const pageSize = 40;
const text = Type.Optional(Type.String());
const maxId = Type.Optional(idSchema<'row'>());

/** What the user hides, by the last part of the page's path. */
const kinds = ['accounts', 'mutes', 'domains'] as const;
type Kind = (typeof kinds)[number];

/** Entries of one kind: what is shown, and what the form to remove it sends. */
interface Hidden {
  readonly entries: readonly { readonly label: string; readonly target: string }[];
  /** Of the next page. */
  readonly nextId: string | undefined;
}

export const blocksRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/settings/blocks', {
    summary: 'Show the accounts and domains that the user blocks and mutes',
    input: Type.Object({ saved: Type.Optional(Type.Boolean()), accounts: maxId, mutes: maxId, domains: maxId }),
    handle: ({ visitor, session, input: { saved, ...maxIds } }) =>
      blocksPage(visitor, session, { isSaved: saved }, maxIds),
  }),
  changeRoute('/settings/blocks/accounts/add', 'Block an account', blockByAcct),
  changeRoute('/settings/blocks/accounts/remove', 'Unblock an account', unblockByAcct),
  changeRoute('/settings/blocks/mutes/add', 'Mute an account', muteByAcct),
  changeRoute('/settings/blocks/mutes/remove', 'Unmute an account', unmuteByAcct),
  changeRoute('/settings/blocks/domains/add', 'Block a domain', blockDomain),
  changeRoute('/settings/blocks/domains/remove', 'Unblock a domain', unblockDomain),
];

type Change = (app: App, accountId: AccountId, target: string) => Promise<unknown>;

/** Declares the route of a form that hides an account or domain, or shows it again. */
function changeRoute(routePath: string, summary: string, change: Change): Route {
  return signedInPageRoute('POST', routePath, {
    summary,
    input: Type.Object({ target: text }),
    handle: ({ visitor, session, input: { target = '' } }) =>
      saveSettings(visitor, path, {
        change: () => change(visitor.app, session.accountId, target.trim()),
        show: (state) => blocksPage(visitor, session, state),
      }),
  });
}

async function blockByAcct(app: App, accountId: AccountId, acct: string): Promise<void> {
  await blockAccount(app, accountId, await requireByAcct(app, acct));
}

async function unblockByAcct(app: App, accountId: AccountId, acct: string): Promise<void> {
  await unblockAccount(app, accountId, await requireByAcct(app, acct));
}

async function muteByAcct(app: App, accountId: AccountId, acct: string): Promise<void> {
  await muteAccount(app, accountId, await requireByAcct(app, acct));
}

async function unmuteByAcct(app: App, accountId: AccountId, acct: string): Promise<void> {
  await unmuteAccount(app, accountId, await requireByAcct(app, acct));
}

async function requireByAcct(app: App, acct: string): Promise<AccountId> {
  const account = await findAccountByAcct(app, acct.replace(/^@/, ''));
  if (account === undefined) throw notFound();
  return account.id;
}

const listings: Readonly<
  Record<Kind, (app: App, accountId: AccountId, max_id: string | undefined) => Promise<Hidden>>
> = {
  accounts: (app, accountId, max) => listAccounts(app, listBlocks(app, accountId, pageBelow(max))),
  mutes: (app, accountId, max) => listAccounts(app, listMutes(app, accountId, pageBelow(max))),
  domains: async (app, accountId, max) => {
    const rows = await listDomainBlocks(app, accountId, pageBelow(max));
    return { entries: rows.map(({ domain }) => ({ label: domain, target: domain })), nextId: nextIdOf(rows) };
  },
};

const pageBelow = (max_id: string | undefined) =>
  parsePage({ ...(max_id !== undefined && { max_id }) }, { defaultLimit: pageSize, maxLimit: pageSize });

const nextIdOf = (rows: readonly { readonly id: string }[]): string | undefined =>
  rows.length < pageSize ? undefined : rows.at(-1)?.id;

async function listAccounts(app: App, listed: ReturnType<typeof listBlocks>): Promise<Hidden> {
  const rows = await listed;
  const accounts = await loadCachedAccounts(
    app,
    rows.map(({ accountId }) => accountId),
  );
  const accts = rows.flatMap(({ accountId }) => accounts.get(accountId)?.acct ?? []);
  return { entries: accts.map((acct) => ({ label: `@${acct}`, target: acct })), nextId: nextIdOf(rows) };
}

async function blocksPage(
  visitor: Visitor,
  session: Session,
  state: SettingsState,
  maxIds: Partial<Record<Kind, string>> = {},
): Promise<HttpResponse> {
  const { app, t } = visitor;
  const lists = await Promise.all(kinds.map((kind) => listings[kind](app, session.accountId, maxIds[kind])));
  return settingsPage(visitor, {
    title: t('settings.blocks'),
    state,
    body: html`${kinds.map((kind, index) => section(visitor, kind, lists[index] ?? { entries: [], nextId: undefined }))}`,
  });
}

function section(visitor: Visitor, kind: Kind, { entries, nextId }: Hidden): Html {
  const { t } = visitor;
  const label = t(kind === 'domains' ? 'settings.domain' : 'settings.handle');
  return html`<section class="card" aria-labelledby="${kind}-title">
    <h2 id="${kind}-title">${t(`settings.hidden_${kind}`)}</h2>
    ${entries.length === 0 && html`<p class="soft">${t('settings.none')}</p>`}
    ${entries.map((entry) =>
      form(
        visitor,
        `${path}/${kind}/remove`,
        html`${hiddenField('target', entry.target)}${entry.label}
          <button class="link" aria-label="${t('security.removeOf', { name: entry.label })}">
            ${t('security.remove')}
          </button>`,
      ),
    )}
    ${nextId !== undefined && html`<p><a href="${path}?${kind}=${nextId}">${t('settings.older')}</a></p>`}
    ${form(
      visitor,
      `${path}/${kind}/add`,
      html`${field({ label, name: 'target', id: `${kind}-target`, autocomplete: 'off' })}
        <div class="buttons"><button class="quiet">${t('settings.add')}</button></div>`,
    )}
  </section>`;
}
