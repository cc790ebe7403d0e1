import type {
  AdminCanonicalEmailBlock,
  AdminDomainAllow,
  AdminDomainBlock,
  AdminEmailDomainBlock,
  AdminIpBlock,
  FieldfareRelay,
} from '../../api/entities.ts';
import { locale, t } from '../../i18n/translate.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { FieldSpec } from '../form/fields.ts';
import { postAction, ResourcePage, type Resource } from '../resource/resource-page.tsx';
import { ImportButton } from './import-domains.tsx';

const severities = () => [
  { value: 'silence', label: t('severity.silence') },
  { value: 'suspend', label: t('severity.suspend') },
  { value: 'noop', label: t('severity.noop') },
];

const domainField = (): FieldSpec => ({ name: 'domain', label: t('servers.domain'), kind: 'text', isRequired: true });

/** Servers that are limited or blocked. */
export function DomainBlocksPage() {
  const details: readonly FieldSpec[] = [
    {
      name: 'severity',
      label: t('servers.severity'),
      kind: 'choice',
      options: severities(),
      hint: t('servers.severityHint'),
    },
    { name: 'reject_media', label: t('servers.rejectMedia'), kind: 'checkbox' },
    { name: 'reject_reports', label: t('servers.rejectReports'), kind: 'checkbox' },
    { name: 'obfuscate', label: t('servers.obfuscate'), kind: 'checkbox' },
    { name: 'public_comment', label: t('servers.publicComment'), kind: 'text' },
    { name: 'private_comment', label: t('servers.privateComment'), kind: 'text' },
  ];
  const resource: Resource<AdminDomainBlock> = {
    title: t('sections.domainBlocks'),
    permissions: ['manage_federation'],
    path: '/api/v1/admin/domain_blocks',
    intro: t('servers.blocksIntro'),
    empty: t('servers.noBlocks'),
    addLabel: t('servers.addBlock'),
    fields: [domainField(), ...details],
    editFields: details,
    toValues: (block) => ({
      severity: block.severity,
      reject_media: block.reject_media,
      reject_reports: block.reject_reports,
      obfuscate: block.obfuscate,
      public_comment: block.public_comment ?? '',
      private_comment: block.private_comment ?? '',
    }),
    nameOf: (block) => block.domain,
    render: (block) => (
      <>
        <p class="item-title">
          {block.domain} <span class="tag warn">{t(`severity.${block.severity}`)}</span>{' '}
          {block.reject_media && <span class="tag">{t('servers.rejectMedia')}</span>}{' '}
          {block.reject_reports && <span class="tag">{t('servers.rejectReports')}</span>}
        </p>
        <p class="small soft" dir="auto">
          {[block.public_comment, block.private_comment].filter(Boolean).map((comment) => `${comment} · `)}
          <RelativeTime time={block.created_at} />
        </p>
      </>
    ),
    deletion: {
      label: t('servers.removeBlock'),
      text: (block) => t('servers.removeBlockText', { domain: block.domain }),
    },
    renderExtra: (list) => <ImportButton kind="domain_blocks" onDone={() => void list.load()} />,
  };
  return <ResourcePage resource={resource} />;
}

/** Servers that may federate while federation is limited. */
export function DomainAllowsPage() {
  const resource: Resource<AdminDomainAllow> = {
    title: t('sections.domainAllows'),
    permissions: ['manage_federation'],
    path: '/api/v1/admin/domain_allows',
    intro: t('servers.allowsIntro'),
    empty: t('servers.noAllows'),
    addLabel: t('servers.addAllow'),
    fields: [domainField()],
    nameOf: (allow) => allow.domain,
    render: (allow) => (
      <p class="item-title">
        {allow.domain}{' '}
        <span class="small soft">
          <RelativeTime time={allow.created_at} />
        </span>
      </p>
    ),
    deletion: {
      label: t('servers.removeAllow'),
      text: (allow) => t('servers.removeAllowText', { domain: allow.domain }),
    },
    renderExtra: (list) => <ImportButton kind="domain_allows" onDone={() => void list.load()} />,
  };
  return <ResourcePage resource={resource} />;
}

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

/** Internet addresses that are refused. */
export function IpBlocksPage() {
  const fields: readonly FieldSpec[] = [
    { name: 'ip', label: t('servers.ip'), kind: 'text', isRequired: true, hint: t('servers.ipHint') },
    {
      name: 'severity',
      label: t('servers.severity'),
      kind: 'choice',
      options: [
        { value: 'sign_up_requires_approval', label: t('severity.sign_up_requires_approval') },
        { value: 'sign_up_block', label: t('severity.sign_up_block') },
        { value: 'no_access', label: t('severity.no_access') },
      ],
    },
    {
      name: 'expires_in',
      label: t('servers.expires'),
      kind: 'choice',
      options: [
        { value: '', label: t('servers.never') },
        { value: '86400', label: t('servers.day') },
        { value: '1209600', label: t('servers.twoWeeks') },
        { value: '15552000', label: t('servers.halfYear') },
        { value: '31536000', label: t('servers.year') },
      ],
    },
    { name: 'comment', label: t('servers.comment'), kind: 'text' },
  ];
  const resource: Resource<AdminIpBlock> = {
    title: t('sections.ipBlocks'),
    permissions: ['manage_blocks'],
    path: '/api/v1/admin/ip_blocks',
    intro: t('servers.ipIntro'),
    empty: t('servers.noIps'),
    addLabel: t('servers.addIp'),
    fields,
    editFields: fields.filter(({ name }) => name !== 'expires_in'),
    toValues: ({ ip, severity, comment }) => ({ ip, severity, comment }),
    nameOf: (block) => block.ip,
    render: (block) => (
      <>
        <p class="item-title">
          {block.ip} <span class="tag warn">{t(`severity.${block.severity}`)}</span>
        </p>
        <p class="small soft">
          {block.comment}{' '}
          {block.expires_at === null ? t('servers.never') : new Date(block.expires_at).toLocaleDateString(locale.value)}
        </p>
      </>
    ),
    deletion: { label: t('servers.removeBlock'), text: (block) => t('servers.removeIpText', { name: block.ip }) },
  };
  return <ResourcePage resource={resource} />;
}

/** Relays, which exchange public posts among servers. */
export function RelaysPage() {
  const path = '/api/v1/fieldfare/admin/relays';
  const resource: Resource<FieldfareRelay> = {
    title: t('sections.relays'),
    permissions: ['manage_federation'],
    path,
    intro: t('servers.relaysIntro'),
    empty: t('servers.noRelays'),
    addLabel: t('servers.addRelay'),
    fields: [
      { name: 'url', label: t('servers.address'), kind: 'text', isRequired: true, hint: t('servers.relayHint') },
      {
        name: 'kind',
        label: t('servers.relayKind'),
        kind: 'choice',
        options: [
          { value: 'mastodon', label: t('servers.relayMastodon') },
          { value: 'litepub', label: t('servers.relayLitepub') },
        ],
      },
    ],
    nameOf: (relay) => relay.url,
    render: (relay) => (
      <p class="item-title">
        {relay.url} <span class="tag">{t(`relayState.${relay.state}`)}</span>
      </p>
    ),
    actions: (relay, list) => [
      relay.state === 'idle' || relay.state === 'rejected'
        ? postAction(t('servers.subscribe'), { list, path: `${path}/${relay.id}/subscribe` })
        : postAction(t('servers.unsubscribe'), { list, path: `${path}/${relay.id}/unsubscribe` }),
    ],
    deletion: { label: t('servers.removeRelay'), text: () => t('servers.removeRelayText') },
  };
  return <ResourcePage resource={resource} />;
}
