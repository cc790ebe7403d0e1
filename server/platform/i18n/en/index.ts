import * as http from './http.ts';
import * as signIn from './sign-in.ts';
import * as mail from './mail.ts';
import * as pages from './pages.ts';
import * as people from './people.ts';
import * as posts from './posts.ts';
import * as staff from './staff.ts';

/** English texts by domain. Apps and tests depend on those of errors. Names in braces are parameters. */
export const en = {
  ...http,
  ...signIn,
  ...mail,
  ...pages,
  ...people,
  ...posts,
  ...staff,
};
