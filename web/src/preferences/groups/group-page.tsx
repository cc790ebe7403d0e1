import type { ComponentChildren } from 'preact';
import { request } from '../../api/client.ts';
import type { Account, Group, Status } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { openPath } from '../../navigate.ts';
import { AccountRow, AccountSearch } from '../../people/index.ts';
import { PlainPost, pathOf, toPlainText } from '../../status/index.ts';
import { usePages } from '../../store/pages.ts';
import { confirm } from '../../ui/confirm.tsx';
import { nameOf } from '../../ui/display-name.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { useLoaded } from '../../ui/use-loaded.tsx';
import { Section, Toggle } from '../controls.tsx';
import { WhenLoaded } from '../loaded.tsx';
import { PreferenceFrame } from '../preference-frame.tsx';
import { openGroupForm } from './group-form.tsx';
import '../../ui/rows.css';

const pathOfGroup = (id: string): string => `/api/v1/fieldfare/groups/${id}`;

/** A group: its rules and moderators, and for these what waits for them. */
export function GroupPage({ id = '' }: { readonly id?: string }) {
  const loaded = useLoaded<Group>(pathOfGroup(id));
  const group = loaded.value;
  const set = (changed: Group): void => void (loaded.value = changed);
  return (
    <PreferenceFrame
      title={group === undefined ? t('groups.title') : nameOf(group.account)}
      actions={
        group !== undefined && (
          <a class="button quiet" href={`/@${group.account.acct}`}>
            {t('groups.open')}
          </a>
        )
      }
    >
      <WhenLoaded of={loaded}>
        {(shown) => (
          <>
            {shown.role !== null && <Posts group={shown} />}
            {shown.role !== null && <Settings group={shown} set={set} />}
            <Section title={t('groups.rules')}>
              <p class={shown.rules === '' ? 'soft' : 'group-rules'} dir="auto">
                {shown.rules === '' ? t('groups.noRules') : shown.rules}
              </p>
            </Section>
            <Moderators group={shown} set={set} />
            {shown.role !== null && <People group={shown} />}
            {shown.role !== null && (
              <button type="button" class="button danger" onClick={() => void deleteGroup(shown)}>
                {t('groups.delete')}
              </button>
            )}
          </>
        )}
      </WhenLoaded>
    </PreferenceFrame>
  );
}

interface GroupProps {
  readonly group: Group;
}

interface ChangingProps extends GroupProps {
  readonly set: (group: Group) => void;
}

function Settings({ group, set }: ChangingProps) {
  const change = async (body: object, guess: Partial<Group>): Promise<void> => {
    set({ ...group, ...guess });
    try {
      set(await request<Group>('PATCH', pathOfGroup(group.id), { body }));
    } catch (error) {
      set(group);
      showError(error, () => void change(body, guess));
    }
  };
  const { account, moderated, posting } = group;
  return (
    <Section title={t('groups.settings')}>
      <button type="button" class="button quiet" onClick={() => openGroupForm(group, set)}>
        {t('groups.edit')}
      </button>
      <Toggle
        label={t('groups.locked')}
        hint={t('groups.lockedHint')}
        isOn={account.locked}
        onChange={(locked) => void change({ locked }, { account: { ...account, locked } })}
      />
      <Toggle
        label={t('groups.moderated')}
        hint={t('groups.moderatedHint')}
        isOn={moderated}
        onChange={(isOn) => void change({ moderated: isOn }, { moderated: isOn })}
      />
      <Toggle
        label={t('groups.onlyModerators')}
        hint={t('groups.onlyModeratorsHint')}
        isOn={posting === 'moderators'}
        onChange={(isOn) => {
          const chosen = isOn ? 'moderators' : 'members';
          void change({ posting: chosen }, { posting: chosen });
        }}
      />
      <Toggle
        label={t('groups.discoverable')}
        isOn={account.discoverable === true}
        onChange={(discoverable) => void change({ discoverable }, { account: { ...account, discoverable } })}
      />
    </Section>
  );
}

function Moderators({ group, set }: ChangingProps) {
  const { id, moderators, role } = group;
  const path = `${pathOfGroup(id)}/moderators`;
  const send = async (change: Promise<Group>): Promise<void> => {
    try {
      set(await change);
    } catch (error) {
      showError(error);
    }
  };
  const add = (account: Account) => (
    <button
      type="button"
      class="button"
      onClick={() => void send(request('POST', path, { body: { account_id: account.id } }))}
    >
      {t('groups.makeModerator')}
    </button>
  );
  const dismiss = (account: Account) => (
    <button
      type="button"
      class="button quiet"
      aria-label={t('groups.dismissName', { name: nameOf(account) })}
      onClick={() => void send(request('DELETE', `${path}/${account.id}`))}
    >
      {t('groups.dismiss')}
    </button>
  );
  return (
    <Section title={t('groups.moderators')}>
      {moderators.length === 0 && <p class="soft">{t('groups.unmoderated')}</p>}
      <ul class="rows" aria-label={t('groups.moderators')}>
        {moderators.map((account) => (
          <li key={account.id}>
            <AccountRow account={account} {...(role !== null && { actions: dismiss(account) })} />
          </li>
        ))}
      </ul>
      {role !== null && <AccountSearch label={t('groups.addModerator')} renderActions={add} />}
    </Section>
  );
}

/** What waits, and what the group boosted. */
function Posts({ group: { id, account } }: GroupProps) {
  const waiting = usePages<Status>(`${pathOfGroup(id)}/waiting_posts`);
  const boosts = usePages<Status>(`/api/v1/accounts/${account.id}/statuses`);
  const decide = async (status: Status, isApproved: boolean): Promise<void> => {
    const restore = waiting.removeWhere((item) => item.id === status.id);
    try {
      const path = `${pathOfGroup(id)}/posts/${status.id}`;
      await (isApproved ? request('POST', `${path}/approve`) : request('DELETE', path));
    } catch (error) {
      restore();
      showError(error);
    }
  };
  const remove = async (boost: Status, postId: string): Promise<void> => {
    const restore = boosts.removeWhere((item) => item.id === boost.id);
    try {
      await request('DELETE', `${pathOfGroup(id)}/posts/${postId}`);
      showToast(t('groups.removed'));
    } catch (error) {
      restore();
      showError(error);
    }
  };
  return (
    <>
      <Section title={t('groups.waiting')}>
        <PagedList
          pages={waiting}
          label={t('groups.waiting')}
          empty={<p class="soft">{t('groups.noneWaiting')}</p>}
          keyOf={(status) => status.id}
          render={(status) => (
            <PostRow status={status}>
              <button type="button" class="button" onClick={() => void decide(status, true)}>
                {t('groups.approve')}
              </button>
              <button type="button" class="button quiet" onClick={() => void decide(status, false)}>
                {t('groups.refuse')}
              </button>
            </PostRow>
          )}
        />
      </Section>
      <Section title={t('groups.posts')}>
        <PagedList
          pages={boosts}
          label={t('groups.posts')}
          empty={<p class="soft">{t('groups.noPosts')}</p>}
          keyOf={(status) => status.id}
          render={(boost) => (
            <PostRow status={boost.reblog ?? boost}>
              <button
                type="button"
                class="button quiet"
                aria-label={t('groups.removePost')}
                onClick={() => void remove(boost, (boost.reblog ?? boost).id)}
              >
                {t('groups.remove')}
              </button>
            </PostRow>
          )}
        />
      </Section>
    </>
  );
}

function PostRow({ status, children }: { readonly status: Status; readonly children: ComponentChildren }) {
  return (
    <AccountRow
      account={status.account}
      note={
        <a href={pathOf(status)} dir="auto">
          <PlainPost text={status.spoiler_text || toPlainText(status.content)} emojis={status.emojis} />
        </a>
      }
      actions={children}
    />
  );
}

/** Who wants to join, and who may not. */
function People({ group: { id } }: GroupProps) {
  const requests = usePages<Account>(`${pathOfGroup(id)}/follow_requests`);
  const bans = usePages<Account>(`${pathOfGroup(id)}/bans`);
  const answer = async (account: Account, verb: 'authorize' | 'reject'): Promise<void> => {
    requests.removeWhere((item) => item.id === account.id);
    await request('POST', `${pathOfGroup(id)}/follow_requests/${account.id}/${verb}`).catch(showError);
  };
  const setBanned = async (account: Account, isBanned: boolean): Promise<void> => {
    const isSame = (item: Account): boolean => item.id === account.id;
    const restore = bans.removeWhere(isSame);
    if (isBanned) bans.change((items) => [account, ...items.filter((item) => !isSame(item))]);
    try {
      const path = `${pathOfGroup(id)}/bans`;
      await (isBanned
        ? request('POST', path, { body: { account_id: account.id } })
        : request('DELETE', `${path}/${account.id}`));
    } catch (error) {
      if (isBanned) bans.removeWhere(isSame);
      restore();
      showError(error);
    }
  };
  return (
    <>
      <Section title={t('groups.requests')}>
        <PagedList
          pages={requests}
          label={t('groups.requests')}
          empty={<p class="soft">{t('groups.noRequests')}</p>}
          keyOf={(account) => account.id}
          render={(account) => (
            <AccountRow
              account={account}
              actions={
                <>
                  <button type="button" class="button" onClick={() => void answer(account, 'authorize')}>
                    {t('people.accept')}
                  </button>
                  <button type="button" class="button quiet" onClick={() => void answer(account, 'reject')}>
                    {t('people.reject')}
                  </button>
                </>
              }
            />
          )}
        />
      </Section>
      <Section title={t('groups.bans')}>
        <PagedList
          pages={bans}
          label={t('groups.bans')}
          empty={<p class="soft">{t('groups.noBans')}</p>}
          keyOf={(account) => account.id}
          render={(account) => (
            <AccountRow
              account={account}
              actions={
                <button
                  type="button"
                  class="button quiet"
                  aria-label={t('groups.liftName', { name: nameOf(account) })}
                  onClick={() => void setBanned(account, false)}
                >
                  {t('groups.lift')}
                </button>
              }
            />
          )}
        />
        <AccountSearch
          label={t('groups.banSearch')}
          renderActions={(account) => (
            <button type="button" class="button danger" onClick={() => void setBanned(account, true)}>
              {t('groups.ban')}
            </button>
          )}
        />
      </Section>
    </>
  );
}

async function deleteGroup({ id, account }: Group): Promise<void> {
  const question = {
    title: t('groups.deleteTitle', { name: nameOf(account) }),
    text: t('groups.deleteText'),
    action: t('groups.delete'),
  };
  if (!(await confirm(question))) return;
  try {
    await request('DELETE', pathOfGroup(id));
    openPath('/preferences/groups', true);
  } catch (error) {
    showError(error);
  }
}
