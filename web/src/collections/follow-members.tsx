import { useSignal } from '@preact/signals';
import { request } from '../api/client.ts';
import type { Account, Relationship } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { AccountRow } from '../people/index.ts';
import { me } from '../session/session.ts';
import { relationshipOf, storeRelationship } from '../store/relationships.ts';
import { nameOf } from '../ui/display-name.tsx';
import { describeError } from '../ui/toasts.tsx';
import { offerUndo } from '../ui/undo.ts';
import { followEach, isFollowable, type Outcome } from './follow-each.ts';
import './follow-members.css';

interface Progress {
  readonly kind: 'follow' | 'undo';
  readonly done: number;
  readonly total: number;
}

const sendChange = async (id: string, action: 'follow' | 'unfollow'): Promise<Relationship> => {
  const relationship = await request<Relationship>('POST', `/api/v1/accounts/${id}/${action}`);
  storeRelationship(relationship);
  return relationship;
};

/** The members of a collection, of which the reader follows all, some or none at once, and can take that back. */
export function FollowMembers({ members }: { readonly members: readonly Account[] }) {
  /** Those that the reader does not want to follow. */
  const left = useSignal<ReadonlySet<string>>(new Set());
  const progress = useSignal<Progress | undefined>(undefined);
  const problems = useSignal<Outcome['problems']>(new Map());
  const isStopped = useSignal(false);
  const followable = members.filter((account) => isFollowable(account, relationshipOf(account.id).value, me.value.id));
  const chosen = followable.filter(({ id }) => !left.value.has(id));
  const choose = (ids: readonly string[], isChosen: boolean): void => {
    const others = [...left.peek()].filter((id) => !ids.includes(id));
    left.value = new Set(isChosen ? others : [...others, ...ids]);
  };
  const change = async (kind: Progress['kind'], ids: readonly string[]): Promise<void> => {
    isStopped.value = false;
    progress.value = { kind, done: 0, total: ids.length };
    const result = await followEach(ids, {
      send: (id) => sendChange(id, kind === 'follow' ? 'follow' : 'unfollow'),
      onProgress: (done) => (progress.value = { kind, done, total: ids.length }),
      isStopped: () => isStopped.peek(),
    });
    progress.value = undefined;
    problems.value = result.problems;
    const changed = [...result.followed, ...result.requested];
    if (kind === 'follow' && changed.length > 0)
      offerUndo(describeOutcome(result), () => change('undo', changed.filter(isFollowed)));
  };
  return (
    <>
      <div class="follow-members">
        {progress.value === undefined ? (
          <FollowChoice
            followable={followable}
            chosen={chosen}
            onChoose={(isChosen) =>
              choose(
                followable.map(({ id }) => id),
                isChosen,
              )
            }
            onFollow={() =>
              void change(
                'follow',
                chosen.map(({ id }) => id),
              )
            }
          />
        ) : (
          <Running progress={progress.value} onStop={() => (isStopped.value = true)} />
        )}
        <p role="status">{problems.value.size > 0 && t('collections.failed', { count: problems.value.size })}</p>
      </div>
      <ul class="rows" aria-label={t('collections.accounts')}>
        {members.map((account) => (
          <li key={account.id} class="follow-member">
            {followable.includes(account) && (
              <label class="follow-check">
                <input
                  type="checkbox"
                  aria-label={t('collections.chooseName', { name: nameOf(account) })}
                  checked={!left.value.has(account.id)}
                  disabled={progress.value !== undefined}
                  onChange={(event) => choose([account.id], event.currentTarget.checked)}
                />
              </label>
            )}
            <AccountRow account={account} />
            {problems.value.has(account.id) && <p class="problem">{describeError(problems.value.get(account.id))}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}

interface ChoiceProps {
  readonly followable: readonly Account[];
  readonly chosen: readonly Account[];
  readonly onChoose: (isChosen: boolean) => void;
  readonly onFollow: () => void;
}

function FollowChoice({ followable, chosen, onChoose, onFollow }: ChoiceProps) {
  if (followable.length === 0) return null;
  const count = chosen.length;
  return (
    <>
      <label class="choice">
        <input
          type="checkbox"
          checked={count === followable.length}
          indeterminate={count > 0 && count < followable.length}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
        <span>{t('collections.chooseAll')}</span>
      </label>
      <button type="button" class="button" disabled={count === 0} onClick={onFollow}>
        {t('collections.follow', { count })}
      </button>
    </>
  );
}

function Running({
  progress: { kind, done, total },
  onStop,
}: {
  readonly progress: Progress;
  readonly onStop: () => void;
}) {
  const label = kind === 'follow' ? t('collections.followingNow') : t('collections.undoingNow');
  return (
    <>
      <label class="follow-progress">
        {label} <progress value={done} max={total} />
      </label>
      <button type="button" class="button quiet" onClick={onStop}>
        {t('collections.stop')}
      </button>
    </>
  );
}

function describeOutcome({ followed, requested }: Outcome): string {
  return [
    ...(followed.length > 0 ? [t('collections.followed', { count: followed.length })] : []),
    ...(requested.length > 0 ? [t('collections.requested', { count: requested.length })] : []),
  ].join(' ');
}

/** Whether the reader still follows an account, or waits for it to accept. */
function isFollowed(id: string): boolean {
  const relationship = relationshipOf(id).peek();
  return relationship?.following === true || relationship?.requested === true;
}
