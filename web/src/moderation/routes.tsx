import type { ComponentType } from 'preact';
import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';
import type * as ServerResources from './servers/resources.tsx';
import type * as SiteResources from './site/resources.tsx';

const page = (load: () => Promise<ComponentType<{ readonly id?: string }>>) => lazyPage(load, 'moderation');
const people = {
  accounts: page(() => import('./people/accounts-page.tsx').then((module) => module.AccountsPage)),
  account: page(() => import('./people/account-page.tsx').then((module) => module.AccountPage)),
  signUps: page(() => import('./people/sign-ups-page.tsx').then((module) => module.SignUpsPage)),
  appeals: page(() => import('./people/appeals-page.tsx').then((module) => module.AppealsPage)),
  heldPosts: page(() => import('./people/held-posts-page.tsx').then((module) => module.HeldPostsPage)),
};
const servers = (name: keyof typeof ServerResources) =>
  page(() => import('./servers/resources.tsx').then((module) => module[name]));
const site = (name: keyof typeof SiteResources) =>
  page(() => import('./site/resources.tsx').then((module) => module[name]));

const pages: Readonly<Record<string, ComponentType<{ readonly id?: string }>>> = {
  '': page(() => import('./overview/overview-page.tsx').then((module) => module.OverviewPage)),
  '/reports': page(() => import('./reports/reports-page.tsx').then((module) => module.ReportsPage)),
  '/reports/:id': page(() => import('./reports/report-page.tsx').then((module) => module.ReportPage)),
  '/accounts': people.accounts,
  '/accounts/:id': people.account,
  '/sign-ups': people.signUps,
  '/appeals': people.appeals,
  '/held-posts': people.heldPosts,
  '/domain-blocks': servers('DomainBlocksPage'),
  '/domain-allows': servers('DomainAllowsPage'),
  '/domain-lists': page(() => import('./servers/domain-lists-page.tsx').then((module) => module.DomainListsPage)),
  '/email-domains': servers('EmailDomainsPage'),
  '/email-addresses': servers('EmailAddressesPage'),
  '/ip-blocks': servers('IpBlocksPage'),
  '/relays': servers('RelaysPage'),
  '/settings': page(() => import('./site/settings-page.tsx').then((module) => module.SettingsPage)),
  '/rules': page(() => import('./site/rules-page.tsx').then((module) => module.RulesPage)),
  '/texts': page(() => import('./site/texts-page.tsx').then((module) => module.TextsPage)),
  '/images': page(() => import('./site/images-page.tsx').then((module) => module.ImagesPage)),
  '/emojis': page(() => import('./emojis/emojis-page.tsx').then((module) => module.EmojisPage)),
  '/roles': page(() => import('./site/roles-page.tsx').then((module) => module.RolesPage)),
  '/announcements': site('AnnouncementsPage'),
  '/invites': site('InvitesPage'),
  '/webhooks': site('WebhooksPage'),
  '/warning-presets': site('WarningPresetsPage'),
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
