import { request, withQuery } from '../../api/client.ts';
import type { HeldPost } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { StatusMedia } from '../../status/media/index.ts';
import { prepareHtml } from '../../ui/prepare-html.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { openDialog } from '../../ui/open-dialog.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { Form } from '../form/form.tsx';
import { refreshStaffCounts } from '../../unread/index.ts';
import { ModerationPage } from '../frame/moderation-page.tsx';
import { FilterBar, useFilters } from '../list/filters.tsx';
import { ItemList } from '../list/item-list.tsx';
import { decisionStates } from './appeals-page.tsx';
import { type Pages, usePages } from '../../store/pages.ts';

/** Posts that a rule holds until staff looked at them. */
export function HeldPostsPage() {
  return (
    <ModerationPage title={t('sections.heldPosts')} permissions={['manage_reports']}>
      <HeldPosts />
    </ModerationPage>
  );
}

const path = '/api/v1/fieldfare/admin/held_posts';

function HeldPosts() {
  const of = useFilters({ state: 'pending' });
  const { values } = of;
  const list = usePages<HeldPost>(withQuery(path, values));
  return (
    <>
      <FilterBar
        label={t('moderation.filters')}
        of={of}
        filters={[{ name: 'state', label: t('staffAccounts.state'), options: decisionStates() }]}
      />
      <ItemList
        list={list}
        label={t('sections.heldPosts')}
        empty={values['state'] === 'pending' ? t('heldPosts.empty') : t('moderation.noneMatch')}
        renderItem={(post) => <Held post={post} list={list} />}
      />
    </>
  );
}

interface HeldProps {
  readonly post: HeldPost;
  readonly list: Pages<HeldPost>;
}

function Held({ post, list }: HeldProps) {
  const { account, text, content, spoiler_text: warning } = post;
  const decide = async (verb: 'approve' | 'reject', body: object = {}): Promise<void> => {
    await request('POST', `${path}/${post.id}/${verb}`, { body });
    list.removeWhere(({ id }) => id === post.id);
    void refreshStaffCounts();
    showToast(t(verb === 'approve' ? 'heldPosts.approved' : 'heldPosts.rejected'));
  };
  return (
    <div class="item">
      <div class="item-text">
        <p class="item-title">
          <a href={`/moderation/accounts/${account.id}`} dir="ltr">
            @{account.acct}
          </a>{' '}
          {post.thread_id !== null && <span class="tag">{t('heldPosts.thread')}</span>}
        </p>
        {warning !== '' && <p dir="auto">{warning}</p>}
        {content === '' ? (
          <p dir="auto">{text}</p>
        ) : (
          <div
            dir="auto"
            // Sanitized by the server.
            dangerouslySetInnerHTML={{ __html: prepareHtml(content, { emojis: [] }) }}
          />
        )}
        {post.media_attachments.length > 0 && <StatusMedia status={post} />}
        {post.remote_media.length > 0 && <RemoteMedia media={post.remote_media} />}
        {post.poll_options.length > 0 && (
          <ul>
            {post.poll_options.map((option) => (
              <li key={option} dir="auto">
                {option}
              </li>
            ))}
          </ul>
        )}
        <p class="small soft">
          {t(`visibility.${post.visibility}`)} · <RelativeTime time={post.created_at} />
        </p>
      </div>
      {post.state === 'pending' && (
        <div class="item-actions">
          <button type="button" class="button" onClick={() => void decide('approve').catch(showError)}>
            {t('heldPosts.approve')}
          </button>
          <button type="button" class="button quiet" onClick={() => openRejection(decide)}>
            {t('heldPosts.reject')}
          </button>
        </div>
      )}
    </div>
  );
}

/** Files of a post on another server. They are not loaded before somebody opens them. */
function RemoteMedia({ media }: { readonly media: HeldPost['remote_media'] }) {
  return (
    <ul>
      {media.map(({ url, description }, index) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noopener noreferrer" dir="auto">
            {description || t('heldPosts.file', { number: index + 1 })}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Asks for the text of the mail to the author. */
function openRejection(decide: (verb: 'reject', body: object) => Promise<void>): void {
  openDialog((close) => (
    <Dialog title={t('heldPosts.reject')} onClose={close}>
      <p>{t('heldPosts.rejectText')}</p>
      <Form
        fields={[{ name: 'text', label: t('decision.mailText'), kind: 'textarea', maxLength: 5000 }]}
        initial={{ text: '' }}
        submitLabel={t('heldPosts.reject')}
        onCancel={close}
        onSubmit={async (values) => {
          await decide('reject', values);
          close();
        }}
      />
    </Dialog>
  ));
}
