import { Type } from 'typebox';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import type { JobRequest } from '../../platform/work/job-request.ts';
import { callProvider } from './call-provider.ts';
import { runCall } from './run-call.ts';

/** Makes a test call (capability `callback`), which the provider answers by a call with the same body. */
export const sendTestCall = defineJob(
  'service_provider.send_test_call',
  Type.Object({ providerId: idSchema<'provider'>() }),
  (app, data): Promise<void> =>
    runCall(app, {
      providerId: data.providerId,
      async run(provider) {
        const body = { sentAt: app.clock.now().toISOString() };
        await callProvider(app, provider, { method: 'POST', path: '/debug/v0/callback/logs', body });
      },
      again: (options): JobRequest => sendTestCall(data, options),
    }),
  'webhooks',
);
