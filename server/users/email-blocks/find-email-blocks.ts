import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { addressBlock } from '../../platform/rate-limits/address-block.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { canonicalEmailHash } from './canonical-email.ts';
import { domainWithParents, emailDomainOf } from './email-domain.ts';
import { findMailHosts } from './mail-hosts.ts';
import type { EmailDomainBlockRow } from './tables.ts';

/**
 * What the blocks say about an e-mail address: `blocked_domain` and `blocked_address` refuse it, with `needs_approval` a
 * sign-up waits for staff.
 */
export type EmailVerdict = 'allowed' | 'needs_approval' | 'blocked_domain' | 'blocked_address';

/**
 * Checks an e-mail address against the blocked addresses, the blocked domains, and, while there are any, the mail servers of
 * its domain. Waits at most 2.5 seconds for name servers; if they do not answer, staff decide.
 */
export async function checkEmail(app: App, email: string): Promise<EmailVerdict> {
  return (await judge(app, email)).verdict;
}

/** Like `checkEmail`, and counts what a block caught for its history. */
export async function checkSignUpEmail(app: App, email: string, ip: string | undefined): Promise<EmailVerdict> {
  const { verdict, blocks } = await judge(app, email);
  if (blocks.length > 0) await countAttempt(app, blocks, ip);
  return verdict;
}

interface Judgement {
  readonly verdict: EmailVerdict;
  /** The blocks of domains that matched. */
  readonly blocks: readonly FoundBlock[];
}

async function judge(app: App, email: string): Promise<Judgement> {
  if (await isAddressBlocked(app, email)) return { verdict: 'blocked_address', blocks: [] };
  const domain = emailDomainOf(email);
  const ofDomain = await findDomainBlocks(app, [domain]);
  if (ofDomain.some(refuses) || !(await hasDomainBlocks(app))) return judgeBlocks(ofDomain);
  const hosts = await findMailHosts(app, domain);
  if (hosts === undefined) return { verdict: 'needs_approval', blocks: ofDomain };
  return judgeBlocks(await findDomainBlocks(app, [domain, ...hosts]));
}

function judgeBlocks(blocks: readonly FoundBlock[]): Judgement {
  if (blocks.length === 0) return { verdict: 'allowed', blocks };
  return { verdict: blocks.some(refuses) ? 'blocked_domain' : 'needs_approval', blocks };
}

/** Returns whether staff blocked an e-mail address, or suspended the account with it. */
async function isAddressBlocked({ db }: App, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('canonical_email_blocks')
    .select('id')
    .where('canonical_email_hash', '=', canonicalEmailHash(email))
    .executeTakeFirst();
  return row !== undefined;
}

type FoundBlock = Pick<EmailDomainBlockRow, 'id' | 'allow_with_approval'>;

/** Returns the blocks of domains and of those above them. */
async function findDomainBlocks({ db }: App, domains: readonly string[]): Promise<FoundBlock[]> {
  const candidates = [...new Set(domains.flatMap(domainWithParents))];
  if (candidates.length === 0) return [];
  return db
    .selectFrom('email_domain_blocks')
    .select(['id', 'allow_with_approval'])
    .where(sql<boolean>`domain = any(${candidates}::text[])`)
    .orderBy('id')
    .execute();
}

async function hasDomainBlocks({ db }: App): Promise<boolean> {
  return (await db.selectFrom('email_domain_blocks').select('id').limit(1).executeTakeFirst()) !== undefined;
}

const refuses = ({ allow_with_approval: allows }: FoundBlock): boolean => !allows;

/** Counts an attempt for the history of each block. */
function countAttempt(app: App, blocks: readonly FoundBlock[], ip: string | undefined): Promise<void> {
  const address = ip === undefined ? '' : addressBlock(ip);
  const day = app.clock.now().toISOString().slice(0, 10);
  const ids = blocks.map(({ id }) => id);
  return transaction(app, async ({ db }) => {
    await sql`
      insert into email_domain_block_attempts (block_id, day, address, attempts)
      select id, ${day}::date, ${address}, 1 from email_domain_blocks
      where id = any(${ids}::bigint[]) order by id for key share
      on conflict (block_id, day, address) do update set attempts = email_domain_block_attempts.attempts + 1`.execute(
      db,
    );
  });
}
