import { decodeEmoji } from './decode-emoji.ts';
import { decodeAudioVideo } from './decode-audio-video.ts';
import { decodeImage } from './decode-image.ts';
import { decodeProfileImage } from './decode-profile-image.ts';
import { decodeSiteImage } from './decode-site-image.ts';
import { inspectFile } from './inspect-file.ts';
import { createCover } from './create-cover.ts';
import type { Results, Task } from './tasks.ts';

/**
 * Runs one task in this process. Throws Refused with a message for the owner of the file, anything else for a broken
 * file.
 */
export function runTask(task: Task): Promise<Results[keyof Results]> {
  switch (task.name) {
    case 'inspect':
      return inspectFile(task);
    case 'image':
      return decodeImage(task);
    case 'cover':
      return createCover(task);
    case 'profile-image':
      return decodeProfileImage(task);
    case 'emoji':
      return decodeEmoji(task);
    case 'site-image':
      return decodeSiteImage(task);
    case 'audio-video':
      return decodeAudioVideo(task);
  }
}
