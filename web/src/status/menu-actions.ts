import { request } from '../api/client.ts';
import type { DeletedStatus, Draft, ThreadPost, Status } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { openPath } from '../navigate.ts';
import { deleteStatus, storeStatus } from '../store/statuses.ts';
import { confirm } from '../ui/confirm.tsx';
import { copyText } from '../ui/copy-text.ts';
import { removeLater } from '../ui/remove-later.ts';
import { showError, showToast } from '../ui/toasts.tsx';
import { pathOf } from './paths.ts';
import { quotePolicyOf } from './quote-policy-of.ts';

/** Copies the public address of a post. */
export async function copyLink({ url, uri }: Pick<Status, 'url' | 'uri'>): Promise<void> {
  await copyText(url ?? uri, t('status.linkCopied'));
}

/** Copies the HTML that shows a post in another site. */
export async function copyEmbedLink(status: Status): Promise<void> {
  const address = `${location.origin}${pathOf(status)}/embed`;
  const html = `<iframe src="${address}" width="400" height="400" style="border: 0" allowfullscreen></iframe>`;
  await copyText(html, t('status.embedCopied'));
}

/** Opens the sharing of the device. */
export async function share({ url, uri, account }: Status): Promise<void> {
  try {
    await navigator.share({ url: url ?? uri, title: `@${account.acct}` });
  } catch (error) {
    // The reader closed it.
    if (!(error instanceof DOMException && error.name === 'AbortError')) showError(error);
  }
}

/** Deletes a post of the reader, which can be undone for some seconds. */
export async function deletePost({ id, held_for_review: isHeld = false }: Status): Promise<void> {
  await removeLater({
    text: t('status.deleted'),
    path: isHeld ? `/api/v1/fieldfare/held_posts/${id}` : `/api/v1/statuses/${id}`,
    ...(!isHeld && { query: { delete_media: true } }),
    onRemoved: () => deleteStatus(id),
  });
}

/** Deletes a post of the reader after a question, and opens its text and media as a draft. */
export async function deleteAndRedraft(status: Status): Promise<void> {
  const question = { title: t('status.redraftTitle'), text: t('status.redraftText'), action: t('status.redraft') };
  if (!(await confirm(question))) return;
  try {
    const deleted = await request<DeletedStatus>('DELETE', `/api/v1/statuses/${status.id}`);
    deleteStatus(status.id);
    await openDraft(deleted);
  } catch (error) {
    showError(error, () => void deleteAndRedraft(status));
  }
}

/** Stores what a deleted post contained as a draft, and opens it. Nothing is lost if that fails: it can be repeated. */
async function openDraft(deleted: DeletedStatus): Promise<void> {
  try {
    const body = draftOf(deleted);
    const draft = await request<Draft>('POST', '/api/v1/fieldfare/drafts', { body });
    openPath(`/publish?draft=${draft.id}`);
  } catch (error) {
    showError(error, () => void openDraft(deleted));
  }
}

/** Withdraws the post of the reader from a quote of it, after a question. */
export async function withdrawFromQuote(quoting: Status, quotedId: string): Promise<void> {
  const question = {
    title: t('quote.withdrawTitle'),
    text: t('quote.withdrawText', { name: quoting.account.acct }),
    action: t('quote.withdrawAction'),
  };
  if (await confirm(question)) await withdraw(quoting, quotedId);
}

async function withdraw(quoting: Status, quotedId: string): Promise<void> {
  try {
    storeStatus(await request<Status>('POST', `/api/v1/statuses/${quotedId}/quotes/${quoting.id}/revoke`));
    showToast(t('quote.withdrawn'));
  } catch (error) {
    showError(error, () => void withdraw(quoting, quotedId));
  }
}

const minPollSeconds = 300;
const maxPollSeconds = 2_629_746;

function draftOf(deleted: DeletedStatus): { readonly posts: readonly ThreadPost[]; readonly in_reply_to_id?: string } {
  const {
    text,
    content_type: contentType,
    spoiler_text: warning,
    visibility,
    sensitive,
    language,
    quote,
    poll,
    quote_approval: approval,
    interaction_policy: policy,
  } = deleted;
  const quotedId = quote !== null ? quote.quoted_status?.id : undefined;
  const ends = poll?.expires_at === null || poll?.expires_at === undefined ? undefined : new Date(poll.expires_at);
  const lasts = ends === undefined ? undefined : (ends.getTime() - new Date(deleted.created_at).getTime()) / 1_000;
  const post = {
    text,
    content_type: contentType,
    spoiler_text: warning,
    visibility,
    sensitive,
    quote_approval_policy: quotePolicyOf(approval),
    ...(policy !== undefined && { interaction_policy: policy }),
    ...(language !== null && { language }),
    media_ids: deleted.media_attachments.map(({ id }) => id),
    ...(quotedId !== undefined && { quoted_status_id: quotedId }),
    ...(poll !== null && {
      poll: {
        options: poll.options.map(({ title }) => title),
        multiple: poll.multiple,
        hide_totals: poll.options.some(({ votes_count: votes }) => votes === null),
        expires_in: Math.min(maxPollSeconds, Math.max(minPollSeconds, Math.round(lasts ?? 86_400))),
      },
    }),
  };
  return { posts: [post], ...(deleted.in_reply_to_id !== null && { in_reply_to_id: deleted.in_reply_to_id }) };
}
