import type { ComponentType } from 'preact';
import type { Account } from '../../api/entities.ts';
import { loadTexts } from '../../i18n/translate.tsx';
import { openDialog } from '../../ui/open-dialog.tsx';
import { showError } from '../../ui/toasts.tsx';

/** Loads a dialog with its texts, and opens it. */
async function openLazily<Props extends object>(
  load: () => Promise<ComponentType<Props & { readonly onClose: () => void }>>,
  props: Props,
): Promise<void> {
  try {
    const [LoadedDialog] = await Promise.all([load(), loadTexts('people')]);
    openDialog((close) => <LoadedDialog {...props} onClose={close} />);
  } catch (error) {
    showError(error, () => void openLazily(load, props));
  }
}

/** What is reported. */
export interface ReportTarget {
  readonly account: Account;
  /** Posts that are chosen at the start. */
  readonly statusIds?: readonly string[];
  readonly collectionIds?: readonly string[];
}

/** Opens the report of an account. `statusIds`: posts that are chosen at the start. */
export const openReport = (target: ReportTarget): void =>
  void openLazily(() => import('./report-dialog.tsx').then((module) => module.ReportDialog), target);

/** Opens the question of how long an account is muted. */
export const openMute = (account: Account): void =>
  void openLazily(() => import('./mute-dialog.tsx').then((module) => module.MuteDialog), { account });

/** Blocks an account, which can be undone for some seconds. */
export const block = (account: Account): void => void blockLazily(account);

async function blockLazily(account: Account): Promise<void> {
  try {
    const [{ blockAccount }] = await Promise.all([import('../relationship-actions.ts'), loadTexts('people')]);
    void blockAccount(account);
  } catch (error) {
    showError(error, () => void blockLazily(account));
  }
}

/** What a block of a server is about besides the server. */
export interface DomainBlockOptions {
  /** One of its accounts, whose relationship changes with it. */
  readonly account?: Account;
  readonly onBlocked?: () => void;
}

/** Opens the question whether a whole server is blocked, with the consequences. */
export const openDomainBlock = (domain: string, options: DomainBlockOptions = {}): void =>
  void openLazily(() => import('./domain-block-dialog.tsx').then((module) => module.DomainBlockDialog), {
    domain,
    ...options,
  });

/** Opens the choice of the lists that contain an account. */
export const openAddToLists = (account: Account): void =>
  void openLazily(() => import('../../lists/index.ts').then((module) => module.AddToListsDialog), {
    account,
  });

/** Opens the choice of the reader's collections that contain an account. */
export const openAddToCollections = (account: Account): void =>
  void openLazily(() => import('../../collections/index.ts').then((module) => module.AddToCollectionsDialog), {
    account,
  });

/** Opens the choice of the folders that contain a bookmark. */
export const openPutIntoFolders = (statusId: string): void =>
  void openLazily(() => import('../../bookmarks/index.ts').then((module) => module.PutIntoFoldersDialog), {
    statusId,
  });
