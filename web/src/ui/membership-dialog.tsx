import { useMemo } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { t } from '../i18n/translate.tsx';
import { Changes, setFields } from '../store/changes.ts';
import { Dialog } from './dialog.tsx';
import type { Load } from './load.ts';
import { showError } from './toasts.tsx';
import { NotLoaded } from './use-loaded.tsx';
import './choices.css';

/** Puts something into a group of the reader, or takes it out. */
export type SetMember = (groupId: string, isMember: boolean) => Promise<void>;

/**
 * Returns how to change the groups that contain something, such as the lists of an account. A change shows at once.
 * `memberOf`: the ids of those groups.
 */
export function useMemberships(
  memberOf: Load<ReadonlySet<string>>,
  send: (groupId: string, isMember: boolean) => Promise<unknown>,
): SetMember {
  const changes = useMemo(
    () =>
      new Changes<{ readonly isMember: boolean }>({
        peek: (groupId) => ({ isMember: memberOf.value?.has(groupId) === true }),
        show(groupId, { isMember }) {
          const others = [...(memberOf.value ?? [])].filter((id) => id !== groupId);
          memberOf.value = new Set(isMember ? [...others, groupId] : others);
        },
      }),
    [memberOf],
  );
  const set: SetMember = async (groupId, isMember) => {
    await changes.make(
      groupId,
      setFields(
        { isMember },
        {
          send: () => send(groupId, isMember).then(() => ({ isMember })),
          onError: (error) => showError(error, () => void set(groupId, isMember)),
        },
      ),
    );
  };
  return set;
}

/** A list, collection or folder of the reader. */
interface Group {
  readonly id: string;
  readonly name: string;
  /** Shown below the name. */
  readonly note?: ComponentChildren;
}

interface MembershipDialogProps {
  readonly title: string;
  /** What the groups are, in the plural. */
  readonly legend: string;
  readonly hint?: string | undefined;
  /** Undefined until they are loaded. */
  readonly groups: readonly Group[] | undefined;
  readonly memberOf: Load<ReadonlySet<string>>;
  readonly onChange: (group: Group, isMember: boolean) => void;
  /** Creates a group. */
  readonly create: { readonly label: string; readonly open: () => void };
  readonly onClose: () => void;
}

/** The groups of the reader as checkboxes: which of them contain something. */
export function MembershipDialog(props: MembershipDialogProps) {
  const { title, legend, hint, groups, memberOf, onChange, create, onClose } = props;
  const chosen = memberOf.value;
  return (
    <Dialog
      title={title}
      size="small"
      onClose={onClose}
      actions={
        <>
          <button type="button" class="button quiet" onClick={create.open}>
            {create.label}
          </button>
          <button type="button" class="button" onClick={onClose}>
            {t('people.done')}
          </button>
        </>
      }
    >
      {chosen === undefined || groups === undefined ? (
        <NotLoaded of={memberOf} count={1} />
      ) : (
        <fieldset class="plain">
          <legend class="visually-hidden">{legend}</legend>
          {hint !== undefined && <p class="soft">{hint}</p>}
          <div class="choices">
            {groups.map((group) => (
              <label key={group.id} class="choice">
                <input
                  type="checkbox"
                  checked={chosen.has(group.id)}
                  onChange={(event) => onChange(group, event.currentTarget.checked)}
                />
                <span dir="auto">
                  {group.name}
                  {group.note}
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </Dialog>
  );
}
