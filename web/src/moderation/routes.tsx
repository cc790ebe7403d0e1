import type { ComponentType } from 'preact';
import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';

const page = (load: () => Promise<ComponentType<{ readonly id?: string }>>) => lazyPage(load, 'moderation');
const people = {
  accounts: page(() => import('./people/accounts-page.tsx').then((module) => module.AccountsPage)),
  account: page(() => import('./people/account-page.tsx').then((module) => module.AccountPage)),
  signUps: page(() => import('./people/sign-ups-page.tsx').then((module) => module.SignUpsPage)),
  appeals: page(() => import('./people/appeals-page.tsx').then((module) => module.AppealsPage)),
  heldPosts: page(() => import('./people/held-posts-page.tsx').then((module) => module.HeldPostsPage)),
};
const servers = {
  domainBlocks: page(() => import('./servers/domain-blocks-page.tsx').then((module) => module.DomainBlocksPage)),
  domainAllows: page(() => import('./servers/domain-allows-page.tsx').then((module) => module.DomainAllowsPage)),
  domainLists: page(() => import('./servers/domain-lists-page.tsx').then((module) => module.DomainListsPage)),
  emailDomains: page(() => import('./servers/email-blocks-pages.tsx').then((module) => module.EmailDomainsPage)),
  emailAddresses: page(() => import('./servers/email-blocks-pages.tsx').then((module) => module.EmailAddressesPage)),
  ipBlocks: page(() => import('./servers/ip-blocks-page.tsx').then((module) => module.IpBlocksPage)),
  providers: page(() => import('./servers/providers-page.tsx').then((module) => module.ProvidersPage)),
  relays: page(() => import('./servers/relays-page.tsx').then((module) => module.RelaysPage)),
  usernames: page(() => import('./servers/usernames-page.tsx').then((module) => module.UsernamesPage)),
};
const site = {
  settings: page(() => import('./site/settings-page.tsx').then((module) => module.SettingsPage)),
  rules: page(() => import('./site/rules-page.tsx').then((module) => module.RulesPage)),
  texts: page(() => import('./site/texts-page.tsx').then((module) => module.TextsPage)),
  images: page(() => import('./site/images-page.tsx').then((module) => module.ImagesPage)),
  roles: page(() => import('./site/roles-page.tsx').then((module) => module.RolesPage)),
  announcements: page(() => import('./site/announcements-page.tsx').then((module) => module.AnnouncementsPage)),
  invites: page(() => import('./site/invites-page.tsx').then((module) => module.InvitesPage)),
  webhooks: page(() => import('./site/webhooks-page.tsx').then((module) => module.WebhooksPage)),
  warningPresets: page(() => import('./site/warning-presets-page.tsx').then((module) => module.WarningPresetsPage)),
};

const pages: Readonly<Record<string, ComponentType<{ readonly id?: string }>>> = {
  '': page(() => import('./overview/overview-page.tsx').then((module) => module.OverviewPage)),
  '/reports': page(() => import('./reports/reports-page.tsx').then((module) => module.ReportsPage)),
  '/reports/:id': page(() => import('./reports/report-page.tsx').then((module) => module.ReportPage)),
  '/accounts': people.accounts,
  '/accounts/:id': people.account,
  '/sign-ups': people.signUps,
  '/appeals': people.appeals,
  '/held-posts': people.heldPosts,
  '/domain-blocks': servers.domainBlocks,
  '/domain-allows': servers.domainAllows,
  '/domain-lists': servers.domainLists,
  '/email-domains': servers.emailDomains,
  '/email-addresses': servers.emailAddresses,
  '/ip-blocks': servers.ipBlocks,
  '/usernames': servers.usernames,
  '/relays': servers.relays,
  '/providers': servers.providers,
  '/settings': site.settings,
  '/rules': site.rules,
  '/texts': site.texts,
  '/images': site.images,
  '/emojis': page(() => import('./emojis/emojis-page.tsx').then((module) => module.EmojisPage)),
  '/roles': site.roles,
  '/announcements': site.announcements,
  '/invites': site.invites,
  '/webhooks': site.webhooks,
  '/warning-presets': site.warningPresets,
  '/trends': page(() => import('./oversight/trends-page.tsx').then((module) => module.TrendsPage)),
  '/automatic-rules': page(() =>
    import('./oversight/automatic-rules-page.tsx').then((module) => module.AutomaticRulesPage),
  ),
  '/jobs': page(() => import('./operation/jobs-page.tsx').then((module) => module.JobsPage)),
  '/federation': page(() => import('./operation/federation-page.tsx').then((module) => module.FederationPage)),
  '/audit-log': page(() => import('./oversight/audit-log-page.tsx').then((module) => module.AuditLogPage)),
};

export const moderationRoutes = Object.entries(pages).map(([path, component]) => (
  <Route key={`/moderation${path}`} path={`/moderation${path}`} component={component} />
));
