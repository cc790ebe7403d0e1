import more from '@phosphor-icons/core/regular/dots-three.svg?raw';
import type { Account, Relationship } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import {
  domainOf,
  removeFollower,
  setEndorsed,
  unblockAccount,
  unblockDomain,
  unmuteAccount,
} from '../people/index.ts';
import {
  block,
  openAddToCollections,
  openAddToLists,
  openDomainBlock,
  openMute,
  openReport,
} from '../people/dialogs/index.ts';
import { me } from '../session/session.ts';
import { relationshipOf } from '../store/relationships.ts';
import { copyText } from '../ui/copy-text.ts';
import { nameOf } from '../ui/display-name.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { openDialog } from '../ui/open-dialog.tsx';
import { shortenName } from '../ui/shorten-name.ts';
import { showError } from '../ui/toasts.tsx';
import { importedPostsItems } from './imported-posts.tsx';

type Items = readonly (MenuItem | 'separator' | undefined)[];

/** Everything else that can be done with an account; of one's own profile, the pages that belong to it. */
export function ProfileMenu({ account }: { readonly account: Account }) {
  const isMine = account.id === me.value.id;
  const relationship = isMine ? undefined : relationshipOf(account.id).value;
  const items = isMine ? ownItems(account) : relationship === undefined ? [] : itemsFor(account, relationship);
  return (
    <Menu
      label={t('profile.more', { name: nameOf(account) })}
      button={<Icon svg={more} />}
      items={[...linkItems(account), ...importedPostsItems(account), 'separator', ...items]}
    />
  );
}

const linkItems = (account: Account): Items => [
  { label: t('profile.copyLink'), onSelect: () => void copyText(account.url, t('profile.linkCopied')) },
  { label: t('profile.qrCode'), onSelect: () => void openQrCode(account) },
  account.acct.includes('@')
    ? { label: t('profile.openOriginal'), onSelect: () => void open(account.url, '_blank', 'noopener') }
    : undefined,
];

async function openQrCode(account: Account): Promise<void> {
  try {
    const { QrDialog } = await import('./qr-dialog.tsx');
    openDialog((close) => <QrDialog account={account} onClose={close} />);
  } catch (error) {
    showError(error, () => void openQrCode(account));
  }
}

const ownItems = (account: Account): Items => [
  { label: t('profile.edit'), href: '/preferences/profile' },
  { label: t('people.followRequests'), href: '/follow_requests' },
  { label: t('people.followedTags'), href: '/followed_tags' },
  { label: t('collections.title'), href: `/@${account.acct}/collections` },
  { label: t('lists.title'), href: '/lists' },
  { label: t('directory.title'), href: '/directory' },
  'separator',
  { label: t('people.mutes'), href: '/mutes' },
  { label: t('people.blocks'), href: '/blocks' },
  { label: t('people.domainBlocks'), href: '/domain_blocks' },
];

function itemsFor(account: Account, relationship: Relationship): Items {
  const { following, endorsed, followed_by: isFollower } = relationship;
  const mention = encodeURIComponent(`@${account.acct} `);
  return [
    ...(account.group
      ? groupItems(account, mention)
      : [
          { label: t('profile.mention'), href: `/publish?text=${mention}` },
          { label: t('profile.message'), href: `/publish?text=${mention}&visibility=direct` },
        ]),
    'separator',
    following ? { label: t('lists.addTo'), onSelect: () => openAddToLists(account) } : undefined,
    { label: t('collections.addTo'), onSelect: () => openAddToCollections(account) },
    following
      ? {
          label: endorsed ? t('profile.unendorse') : t('profile.endorse'),
          onSelect: () => void setEndorsed(account, !endorsed),
        }
      : undefined,
    isFollower ? { label: t('people.removeFollower'), onSelect: () => void removeFollower(account) } : undefined,
    'separator',
    ...unwantedItems(account, relationship),
    ...staffItems(account),
  ];
}

/** Of a group. Only those of this server have a page with their rules and moderators. */
const groupItems = ({ id, acct }: Account, mention: string): Items => [
  { label: t('profile.postToGroup'), href: `/publish?text=${mention}` },
  acct.includes('@') ? undefined : { label: t('profile.groupDetails'), href: `/preferences/groups/${id}` },
];

/** Actions against an account. */
function unwantedItems(account: Account, { muting, blocking, domain_blocking: isServerBlocked }: Relationship): Items {
  const name = shortenName(nameOf(account));
  const domain = domainOf(account);
  const server = domain === undefined ? '' : shortenName(domain);
  return [
    muting
      ? { label: t('people.unmute'), onSelect: () => void unmuteAccount(account) }
      : { label: t('people.muteName', { name }), onSelect: () => openMute(account) },
    blocking
      ? { label: t('people.unblock'), onSelect: () => void unblockAccount(account) }
      : { label: t('people.blockName', { name }), isDangerous: true, onSelect: () => block(account) },
    domain === undefined
      ? undefined
      : isServerBlocked
        ? { label: t('people.unblockDomain', { domain: server }), onSelect: () => void unblockDomain(domain, account) }
        : {
            label: t('people.blockDomain', { domain: server }),
            isDangerous: true,
            onSelect: () => openDomainBlock(domain, { account }),
          },
    { label: t('people.reportName', { name }), isDangerous: true, onSelect: () => openReport({ account }) },
  ];
}

/** Permissions of Mastodon that open the accounts of the moderation: administrator, manage_users. */
const staffPermissions = 0x1n | 0x400n;

const staffItems = ({ id }: Account): Items =>
  (BigInt(me.value.role.permissions) & staffPermissions) !== 0n
    ? ['separator', { label: t('profile.moderate'), href: `/moderation/accounts/${id}` }]
    : [];
