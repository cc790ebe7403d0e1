import type { AdminCanonicalEmailBlock, AdminEmailDomainBlock } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { ResourcePage, type Resource } from '../resource/resource-page.tsx';
import { domainField } from './domain-field.ts';

/** E-mail providers that cannot be used to sign up. */
export function EmailDomainsPage() {
  const resource: Resource<AdminEmailDomainBlock> = {
    title: t('sections.emailDomains'),
    permissions: ['manage_blocks'],
    path: '/api/v1/admin/email_domain_blocks',
    intro: t('servers.emailDomainsIntro'),
    empty: t('servers.noEmailDomains'),
    addLabel: t('servers.addEmailDomain'),
    fields: [domainField(), { name: 'allow_with_approval', label: t('servers.allowWithApproval'), kind: 'checkbox' }],
    nameOf: (block) => block.domain,
    render: (block) => (
      <>
        <p class="item-title">
          {block.domain} {block.allow_with_approval && <span class="tag">{t('servers.allowWithApproval')}</span>}
        </p>
        <p class="small soft">
          {t('servers.uses', { count: block.history.reduce((sum, { uses }) => sum + Number(uses), 0) })}
        </p>
      </>
    ),
    deletion: {
      label: t('servers.removeBlock'),
      text: (block) => t('servers.removeEmailText', { name: block.domain }),
    },
  };
  return <ResourcePage resource={resource} />;
}

/** E-mail addresses that cannot be used to sign up. */
export function EmailAddressesPage() {
  const resource: Resource<AdminCanonicalEmailBlock> = {
    title: t('sections.emailAddresses'),
    permissions: ['manage_blocks'],
    path: '/api/v1/admin/canonical_email_blocks',
    intro: t('servers.emailAddressesIntro'),
    empty: t('servers.noEmailAddresses'),
    addLabel: t('servers.addEmailAddress'),
    fields: [{ name: 'email', label: t('staffAccounts.email'), kind: 'text', isRequired: true }],
    nameOf: (block) => block.canonical_email_hash.slice(0, 12),
    render: (block) => <p class="small">{block.canonical_email_hash}</p>,
    deletion: {
      label: t('servers.removeBlock'),
      text: (block) => t('servers.removeEmailText', { name: block.canonical_email_hash.slice(0, 12) }),
    },
  };
  return <ResourcePage resource={resource} />;
}
