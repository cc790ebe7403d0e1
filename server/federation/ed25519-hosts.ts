import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';
import { Cache } from '../platform/caching/cache.ts';
import { transaction } from '../platform/write/transaction.ts';

/** How long a signature proves that a host knows Ed25519. A host that still uses it proves it again. */
const proofDays = 30;
/** How long a refusal outweighs later proofs: the host signs with such keys, but does not find or verify ours. */
const refusalDays = 7;
const dayMs = 86_400_000;

/** When this process last stored the proof of a host, in milliseconds by the clock of the App. */
export const recentProofs = new Cache<string, number>({
  name: 'federation.ed25519_proofs',
  maxSize: 20_000,
  ttlMs: dayMs,
});

/** Condition that a row of `hosts` is known to verify Ed25519 signatures. */
export function acceptsEd25519(app: App): RawBuilder<boolean> {
  return sql<boolean>`coalesce(hosts.ed25519_until > ${app.clock.now()}, false)`;
}

/** Records that a host signed a request with Ed25519, at most once a day in each process. */
export async function recordEd25519Proof(app: App, host: string): Promise<void> {
  const now = app.clock.now();
  const storedAt = recentProofs.peek(app, host);
  if (storedAt !== undefined && now.getTime() - storedAt < dayMs) return;
  const until = new Date(now.getTime() + proofDays * dayMs);
  const refusedBefore = new Date(now.getTime() - refusalDays * dayMs);
  await transaction(app, ({ db }) =>
    sql`insert into hosts (domain, ed25519_until, created_at) values (${host}, ${until}, ${now})
      on conflict (domain) do update set ed25519_until = excluded.ed25519_until
      where hosts.ed25519_refused_at is null or hosts.ed25519_refused_at < ${refusedBefore}`.execute(db),
  );
  recentProofs.set(app, host, now.getTime());
}

/** Records that a host refused a request that was signed with Ed25519. */
export async function recordEd25519Refusal(app: App, host: string): Promise<void> {
  await transaction(app, ({ db }) =>
    sql`update hosts set ed25519_until = null, ed25519_refused_at = ${app.clock.now()}
      where domain = ${host}`.execute(db),
  );
}
