import { Type } from 'typebox';
import { reportTemporaryFailure } from '../temporary-failures.ts';
import { Answer } from './answers.ts';
import { get, type Route } from './routes.ts';

const text = (status: number, body: string): Answer =>
  new Answer({ status, text: body, headers: { 'content-type': 'text/plain; charset=utf-8' } });

/** Whether the process lives, and whether it can serve: for load balancers and supervisors. */
export const healthRoutes: Route[] = [
  get('/health', {
    summary: 'Whether the process is alive',
    access: 'anyone',
    rateLimit: 'none',
    evenLimited: true,
    response: Type.String(),
    handle: () => text(200, 'OK'),
  }),
  get('/health/ready', {
    summary: 'Whether the process can serve: the database answers',
    access: 'anyone',
    rateLimit: 'none',
    evenLimited: true,
    response: Type.String(),
    async handle({ app }) {
      try {
        await app.pool.query('select 1');
        return text(200, 'OK');
      } catch (error) {
        if (!reportTemporaryFailure(app, error)) throw error;
        return text(503, 'The database does not answer');
      }
    },
  }),
];
