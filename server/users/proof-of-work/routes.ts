import { notFound } from '../../platform/http/http-errors.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { SignUpChallenge } from './schema.ts';
import { createSignUpChallenge } from './sign-up-challenges.ts';

export const proofOfWorkRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/sign_up_challenge', {
    summary: 'Get a challenge for a sign-up: 404 while staff ask for no proof of work',
    access: 'anyone',
    openInLimitedFederation: true,
    response: SignUpChallenge,
    async handle({ app }) {
      const challenge = await createSignUpChallenge(app);
      if (challenge === undefined) throw notFound();
      return challenge;
    },
  }),
];
