import { totalmem } from 'node:os';
import { port } from './connection.ts';

/** Memory of this machine, or container, in megabytes. */
const memoryMb = Math.min(totalmem(), process.constrainedMemory() || Infinity) / 1_048_576;

/** Size of PostgreSQL's page cache in megabytes: a sixteenth of the machine, which it shares with everything else. */
const sharedBuffersMb = Math.round(Math.min(Math.max(memoryMb / 16, 64), 512));

/**
 * Returns settings as arguments for the command line. They are passed at each start, so that an old cluster runs with
 * the current settings.
 */
export function serverSettings(socketFolder: string, skipSync: boolean): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    port: String(port),
    unix_socket_directories: socketFolder.replaceAll(',', '\\,'),
    unix_socket_permissions: '0600',
    max_connections: '100',
    shared_buffers: `${sharedBuffersMb}MB`,
    effective_cache_size: `${Math.round(memoryMb / 2)}MB`,
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    huge_pages: 'off',
    jit: 'off',
    // Parallel workers need more shared memory than many containers have (64 MB), and short queries gain nothing.
    max_parallel_workers_per_gather: '0',
    random_page_cost: '1.1',
    synchronous_commit: 'on',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    autovacuum_vacuum_scale_factor: '0.05',
    autovacuum_analyze_scale_factor: '0.05',
    autovacuum_vacuum_insert_scale_factor: '0.1',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '',
    log_checkpoints: 'off',
    // Statements contain private texts.
    log_min_error_statement: 'panic',
    log_min_messages: 'warning',
    ...(skipSync
      ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off', max_connections: '300' }
      : {}),
  };
  return Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}
