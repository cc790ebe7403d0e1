import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { ConversationList } from './conversation-list.tsx';

/** The conversations of the account. */
export function ConversationsPage() {
  return (
    <>
      <PageHeader title={t('nav.conversations')} />
      <ConversationList />
    </>
  );
}
