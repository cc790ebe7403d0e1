import { Type } from 'typebox';
import { parseAccount } from '../../accounts/present/index.ts';
import type { Account } from '../../accounts/index.ts';
import { listCollections, presentCollections, presentCollectionWithAccounts } from '../../collections/read/index.ts';
import type { Collection } from '../../collections/index.ts';
import { negotiateCollection } from '../../federation/index.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html, type Html } from '../../platform/http/html.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { Route } from '../../platform/http/routes.ts';
import type { CollectionId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import type { Translator } from '../../platform/i18n/translator.ts';
import { siteSettings } from '../../site/index.ts';
import { remoteLinkPage } from './remote-link-page.ts';
import { withReturnPath } from '../auth/return-path.ts';
import { renderPage } from '../render/layout.ts';
import { openGraph } from './open-graph.ts';
import { pageRoute } from '../page-routes.ts';
import { displayNameOf } from '../render/display-name.ts';
import { limitedFederationRedirect, loadProfile } from './profile-routes.ts';
import type { Visitor } from '../visitor.ts';
import { findShell } from '../web/shell.ts';

/** More than an account may have. */
const allCollections = { limit: 100, offset: 0, maxId: undefined };

export const collectionRoutes: readonly Route[] = [
  pageRoute('GET', '/collections/:id', {
    summary: 'Show the page of a collection',
    params: Type.Object({ id: idSchema<'collection'>() }),
    async handle({ visitor, params }) {
      const document = await negotiateCollection(visitor.app, visitor.request, params.id);
      if (document !== undefined) return document;
      return limitedFederationRedirect(visitor) ?? (await findShell(visitor)) ?? collectionPage(visitor, params.id);
    },
  }),

  pageRoute('GET', '/@:username/collections', {
    summary: 'Show the collections of a profile',
    params: Type.Object({ username: Type.String() }),
    handle: async ({ visitor, params }) =>
      limitedFederationRedirect(visitor) ?? (await findShell(visitor)) ?? listPage(visitor, params.username),
  }),
];

async function collectionPage(visitor: Visitor, id: CollectionId): Promise<HttpResponse> {
  const { app, t } = visitor;
  const [presented, { title: site }] = await Promise.all([
    presentCollectionWithAccounts(app, undefined, id),
    siteSettings(app),
  ]);
  const { accounts, collection } = presented.parse();
  const owner = accounts.find((account) => account.id === collection.account_id);
  if (owner === undefined) throw notFound('http.notFound');
  if (!collection.local) return remoteLinkPage(visitor, collection.url ?? collection.uri);
  const { name, url, uri, description } = collection;
  const count = t('collections.accountCount', { count: collection.item_count });
  const title = t('pages.collectionTitle', { name, accounts: count, owner: displayNameOf(owner) });
  const members = new Map(accounts.map((account) => [account.id, account]));
  const people = collection.items.flatMap(({ account_id: member }) => (member && members.get(member)) ?? []);
  return renderPage(visitor, {
    title,
    wide: true,
    takesCustomCss: true,
    isIndexable: owner.indexable && collection.discoverable && !collection.sensitive,
    head: html`${openGraph({
        type: 'article',
        title,
        description: html`${description ?? ''}`.text,
        url: url ?? uri,
        image: collection.sensitive ? undefined : owner.avatar,
        site,
      })} <link rel="alternate" type="application/activity+json" href="${uri}" />`,
    body: html`<section class="card" lang="${collection.language ?? ''}">
        <h1 dir="auto">${name}</h1>
        ${description !== null && description !== '' && html`<p dir="auto">${description}</p>`}
        <p class="soft small">
          ${t.html('pages.recommendedBy', { accounts: count, owner: html`<a href="${owner.url}">${displayNameOf(owner)}</a>` })}
          ${collection.tag !== null && html` &middot; <a href="${collection.tag.url}">#${collection.tag.name}</a>`}
        </p>
        ${await followLinks(visitor, id)}
        <p class="soft small">${t('pages.howToOpen', { address: url ?? uri })}</p>
      </section>
      ${foldIfSensitive(t, collection, people.map(personCard))}`,
  });
}

/** Links by which visitors become someone who can follow the accounts, and come back to the collection. */
async function followLinks({ app, t }: Visitor, id: CollectionId): Promise<Html> {
  const { registrations } = await siteSettings(app);
  const path = `/collections/${id}`;
  return html`<p>${t('pages.followCollection')}</p>
    <p class="buttons">
      ${
        registrations !== 'closed' &&
        html`<a class="button" href="${withReturnPath('/auth/sign_up', path)}">${t('pages.signUp')}</a> `
      }<a class="button quiet" href="${withReturnPath('/auth/sign_in', path)}">${t('session.signIn')}</a>
    </p>`;
}

function foldIfSensitive(t: Translator, { sensitive }: Collection, cards: readonly Html[]): Html {
  if (!sensitive) return html`${cards}`;
  return html`<details>
    <summary>${t('pages.sensitiveContent')}</summary>
    ${cards}
  </details>`;
}

function personCard(account: Account): Html {
  return html`<div class="card person">
    <img src="${account.avatar_static}" alt="" width="48" height="48" loading="lazy" />
    <p>
      <a href="${account.url}"><strong>${displayNameOf(account)}</strong></a
      ><br /><span class="soft" dir="ltr">@${account.acct}</span>
    </p>
  </div>`;
}

async function listPage(visitor: Visitor, name: string): Promise<HttpResponse> {
  const { app, t } = visitor;
  const body = await loadProfile(visitor, name);
  const account = parseAccount(body);
  const collections = await presentCollections(
    app,
    undefined,
    await listCollections(app, undefined, body.id, allCollections),
  );
  const title = t('pages.collectionsOf', { name: displayNameOf(account) });
  return renderPage(visitor, {
    title,
    wide: true,
    takesCustomCss: true,
    isIndexable: account.indexable && collections.length > 0,
    body: html`<h1>${title}</h1>
      <p><a dir="ltr" href="${account.url}">@${account.username}@${app.config.domain}</a></p>
      ${collections.length === 0 && html`<p class="soft">${t('pages.noCollections')}</p>`}
      ${collections.map(
        (collection) =>
          html`<div class="card">
            <h2 dir="auto"><a href="${collection.url ?? collection.uri}">${collection.name}</a></h2>
            ${collection.description !== '' && html`<p dir="auto">${collection.description}</p>`}
            <p class="soft small">${t('collections.accountCount', { count: collection.item_count })}</p>
          </div>`,
      )}`,
  });
}
