import { decodeEmoji } from './decode-emoji.ts';
import { decodeFilm } from './decode-film.ts';
import { decodeImage } from './decode-image.ts';
import { decodeProfileImage } from './decode-profile-image.ts';
import { inspectFile } from './inspect-file.ts';
import { makeCover } from './make-cover.ts';
import type { Results, Task } from './tasks.ts';

/** Does one task in this process. Throws Refused for what the owner of the file is told, anything else for a broken file. */
export function runTask(task: Task): Promise<Results[keyof Results]> {
  switch (task.name) {
    case 'inspect':
      return inspectFile(task);
    case 'image':
      return decodeImage(task);
    case 'cover':
      return makeCover(task);
    case 'profile-image':
      return decodeProfileImage(task);
    case 'emoji':
      return decodeEmoji(task);
    case 'film':
      return decodeFilm(task);
  }
}
