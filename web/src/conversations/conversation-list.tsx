import { useEffect, useMemo } from 'preact/hooks';
import type { Conversation } from '../api/entities.ts';
import { subscribe } from '../api/stream.ts';
import { t } from '../i18n/translate.tsx';
import { usePages } from '../store/pages.ts';
import { PagedList } from '../ui/paged-list.tsx';
import { isRemoved } from '../ui/remove-later.ts';
import { EmptyState } from '../ui/states.tsx';
import { createMarks, moveToTop, pathOf } from './conversation-actions.ts';
import { ConversationRow } from './conversation-row.tsx';

/** The private mentions of the account by conversation, the newest post first. New posts arrive live. */
export function ConversationList() {
  const pages = usePages<Conversation>('/api/v1/conversations');
  const marks = useMemo(() => createMarks(pages), [pages]);
  useEffect(
    () =>
      subscribe(
        { stream: 'direct' },
        {
          onEvent: ({ event, payload = '' }) => {
            if (event === 'conversation') moveToTop(pages, marks, JSON.parse(payload) as Conversation);
          },
          onOpen: () => void pages.load(),
        },
      ),
    [pages],
  );
  return (
    <PagedList
      pages={pages}
      label={t('nav.conversations')}
      empty={
        <EmptyState title={t('conversations.empty')}>
          <p>{t('conversations.emptyHint')}</p>
        </EmptyState>
      }
      isLeftOut={(conversation) => isRemoved(pathOf(conversation))}
      keyOf={({ id }) => id}
      render={(conversation) => <ConversationRow conversation={conversation} pages={pages} marks={marks} />}
    />
  );
}
