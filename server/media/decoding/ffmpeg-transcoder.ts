import { spawn } from 'node:child_process';
import { videoFilters, audioFilter, threads, frameFilters, type Transcoder } from './transcoder.ts';

/** Returns a transcoder that runs ffmpeg; undefined if it is not installed. */
export async function createFfmpegTranscoder(program: string): Promise<Transcoder | undefined> {
  const run = (...parts: (readonly string[])[]): Promise<void> => runProgram(program, parts.flat());
  try {
    await run(['-version']);
  } catch {
    return undefined;
  }
  const from = (source: string, demuxer: string): string[] => [
    // Only the given container and local files: files and URLs that the file names are not opened.
    '-protocol_whitelist',
    'file',
    '-noautorotate',
    '-f',
    demuxer,
    '-i',
    `file:${source}`,
    ...`-map_metadata -1 -map_chapters -1 -sn -dn -threads ${threads}`.split(' '),
  ];
  const to = (target: string): string => `file:${target}`;
  return {
    name: 'ffmpeg',
    transcodeVideo: (source, target, plan) =>
      run(
        from(source, plan.demuxer),
        ['-map', '0:v:0', '-vf', videoFilters(plan), '-fps_mode', 'vfr'],
        ['-c:v', 'libx264', '-preset', plan.preset, '-crf', '23'],
        plan.hasAudio ? ['-map', '0:a:0?', '-af', audioFilter, '-c:a', 'aac', '-b:a', '128k'] : ['-an'],
        ['-movflags', '+faststart', '-f', 'mp4', to(target)],
      ),
    transcodeAudio: (source, target, demuxer) =>
      run(
        from(source, demuxer),
        ['-map', '0:a:0', '-vn', '-af', audioFilter, '-c:a', 'libmp3lame', '-b:a', '192k'],
        ['-id3v2_version', '0', '-f', 'mp3', to(target)],
      ),
    extractFirstFrame: (source, target, video) =>
      run(from(source, video.demuxer), [
        '-map',
        '0:v:0',
        '-vf',
        frameFilters(video),
        '-frames:v',
        '1',
        '-f',
        'image2',
        to(target),
      ]),
  };
}

const maxErrorTextLength = 2_000;

function runProgram(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errorText = '';
    child.stderr.on('data', (chunk: Buffer) => (errorText = (errorText + chunk.toString()).slice(-maxErrorTextLength)));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`ffmpeg ended with ${code}: ${errorText}`)),
    );
  });
}
