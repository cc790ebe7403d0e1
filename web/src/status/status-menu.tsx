import more from '@phosphor-icons/core/regular/dots-three.svg?raw';
import type { Status } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { block, openDomainBlock, openMute, openPutIntoFolders, openReport } from '../people/dialogs/index.ts';
import { me } from '../session/session.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu, type MenuItems } from '../ui/menu.tsx';
import { shortenName } from '../ui/shorten-name.ts';
import { hasVoices, readAloud } from './aloud/read-aloud.ts';
import { toggleFlag } from './actions.ts';
import { copyEmbedLink, copyLink, deletePost, deleteAndRedraft, share, withdrawFromQuote } from './menu-actions.ts';
import { groupItems } from './moderated-groups.ts';
import { pathOf } from './paths.ts';
import { openQuotePolicy } from './quote-policy.tsx';
import { openReactionPicker } from './reaction-picker.tsx';
import { isTranslatable, showOriginal, translate, translationOf } from './translation/translations.ts';

/** The menu of a post. Its entries are made when it opens, because few menus ever do. */
export function StatusMenu({ status }: { readonly status: Status }) {
  const isMine = status.account.id === me.value.id;
  const items = (): MenuItems => [
    ...generalItems(status),
    'separator',
    ...(status.held_for_review === true ? [] : conversationItems(status, isMine)),
    ...(isMine ? ownItems(status) : authorItems(status)),
    ...groupItems(status),
  ];
  return <Menu label={t('status.more')} button={<Icon svg={more} />} items={items} />;
}

function generalItems(status: Status): MenuItems {
  const { id, card, visibility, url } = status;
  const isPublic = (visibility === 'public' || visibility === 'unlisted') && status.local_only !== true;
  const isLocal = !status.account.acct.includes('@');
  const isTranslated = translationOf(id).value !== undefined;
  return [
    { label: t('status.open'), href: pathOf(status) },
    isLocal || url === null ? undefined : { label: t('status.openOriginal'), href: url, isExternal: true },
    { label: t('status.copyLink'), onSelect: () => void copyLink(status) },
    'share' in navigator ? { label: t('status.share'), onSelect: () => void share(status) } : undefined,
    isPublic && isLocal ? { label: t('status.copyEmbed'), onSelect: () => void copyEmbedLink(status) } : undefined,
    isTranslated ? { label: t('status.showOriginal'), onSelect: () => showOriginal(id) } : undefined,
    !isTranslated && isTranslatable(status)
      ? { label: t('status.translate'), onSelect: () => void translate(id) }
      : undefined,
    hasVoices() ? { label: t('status.readAloud'), onSelect: () => void readAloud([id]) } : undefined,
    card === null ? undefined : { label: t('status.aboutLink'), href: `/links?url=${encodeURIComponent(card.url)}` },
    status.edited_at === null ? undefined : { label: t('status.history'), href: `${pathOf(status)}/history` },
  ];
}

function conversationItems(status: Status, isMine: boolean): MenuItems {
  const { id, bookmarked = false, muted = false, quote_approval: approval } = status;
  const isQuotable = isMine || approval.current_user === 'automatic' || approval.current_user === 'manual';
  const quoteHint = !isMine && approval.current_user === 'manual' ? { hint: t('status.quoteNeedsApproval') } : {};
  return [
    isQuotable ? { label: t('status.quote'), href: `/publish?quote=${id}`, ...quoteHint } : undefined,
    { label: t('status.react'), onSelect: () => openReactionPicker(id) },
    bookmarked ? { label: t('status.folders'), onSelect: () => openPutIntoFolders(id) } : undefined,
    {
      label: muted ? t('status.unmuteConversation') : t('status.muteConversation'),
      onSelect: () => void toggleFlag(id, 'muted'),
    },
    'separator',
  ];
}

function ownItems(status: Status): MenuItems {
  const { id, pinned = false, visibility } = status;
  const isImported = status.imported_from !== undefined;
  const isPublic = visibility === 'public' || visibility === 'unlisted';
  const isPinnable = visibility !== 'direct';
  return [
    isPinnable
      ? { label: pinned ? t('status.unpin') : t('status.pin'), onSelect: () => void toggleFlag(id, 'pinned') }
      : undefined,
    isPublic && !isImported ? { label: t('status.quotePolicy'), onSelect: () => openQuotePolicy(status) } : undefined,
    isImported ? undefined : { label: t('status.edit'), href: `/publish?edit=${id}` },
    { label: t('status.delete'), isDangerous: true, onSelect: () => void deletePost(status) },
    { label: t('status.redraft'), isDangerous: true, onSelect: () => void deleteAndRedraft(status) },
  ];
}

function authorItems(status: Status): MenuItems {
  const { id, account } = status;
  const name = `@${account.acct}`;
  const short = shortenName(name);
  const domain = account.acct.split('@')[1];
  const ownQuotedId = quotedIdOfReader(status);
  return [
    ownQuotedId === undefined
      ? undefined
      : {
          label: t('quote.withdraw'),
          isDangerous: true,
          onSelect: () => void withdrawFromQuote(status, ownQuotedId),
        },
    { label: t('status.mention', { name: short }), href: `/publish?text=${encodeURIComponent(`${name} `)}` },
    { label: t('status.mute', { name: short }), onSelect: () => openMute(account) },
    { label: t('status.block', { name: short }), isDangerous: true, onSelect: () => block(account) },
    domain === undefined
      ? undefined
      : {
          label: t('status.block', { name: shortenName(domain) }),
          isDangerous: true,
          onSelect: () => openDomainBlock(domain, { account }),
        },
    {
      label: t('status.report', { name: short }),
      isDangerous: true,
      onSelect: () => openReport({ account, statusIds: [id] }),
    },
  ];
}

/** Returns the id of the quoted post if it is the reader's and is shown. */
function quotedIdOfReader({ quote }: Status): string | undefined {
  if (quote?.state !== 'accepted' || !('quoted_status' in quote)) return undefined;
  const quoted = quote.quoted_status;
  return quoted?.account.id === me.value.id ? quoted.id : undefined;
}
