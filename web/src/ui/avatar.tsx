import type { Account } from '../api/entities.ts';
import './avatar.css';

interface AvatarProps {
  readonly account: Pick<Account, 'avatar' | 'avatar_static'>;
  /** In pixels. */
  readonly size?: number;
}

/** The picture of an account. It is decoration: the name stands beside it. */
export function Avatar({ account, size = 48 }: AvatarProps) {
  return (
    <img class="avatar" src={account.avatar_static} alt="" width={size} height={size} loading="lazy" decoding="async" />
  );
}
