import type { Catalogue } from '../catalogue.ts';
import * as http from './http.ts';
import * as signIn from './sign-in.ts';
import * as mail from './mail.ts';
import * as pages from './pages.ts';
import * as people from './people.ts';
import * as posts from './posts.ts';
import * as staff from './staff.ts';

/** Spanish texts, which address the reader informally. */
export const es: Catalogue = {
  ...http,
  ...signIn,
  ...mail,
  ...pages,
  ...people,
  ...posts,
  ...staff,
};
