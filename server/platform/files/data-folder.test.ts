import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DataFolderError, prepareDataFolder } from './data-folder.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ff-data-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);

test('DATA_DIR is created for its user only, whatever the umask', () => {
  const umask = process.umask(0);
  onTestFinished(() => void process.umask(umask));
  const dataDir = join(newFolder(), 'a', 'b');
  prepareDataFolder(dataDir);
  expect(modeOf(dataDir)).toBe('700');
});

test('an installation with open folders is closed at the next start', () => {
  const dataDir = newFolder();
  const folders = ['mail', 'media', 'cache', 'tmp'].map((name) => join(dataDir, name));
  for (const folder of folders) {
    mkdirSync(folder);
    chmodSync(folder, 0o755);
  }
  mkdirSync(join(dataDir, 'postgres'));
  chmodSync(dataDir, 0o755);
  prepareDataFolder(dataDir);
  expect(folders.map(modeOf)).toEqual(['700', '700', '700', '700']);
  // The group has access if this process is root: it is the group of the database's user.
  expect(modeOf(dataDir)).toBe(process.getuid?.() === 0 ? '710' : '700');
});

test('a folder that contains other things keeps its mode; the folders of the server are closed', () => {
  const dataDir = newFolder();
  for (const name of ['mail', 'photos']) mkdirSync(join(dataDir, name));
  symlinkSync('photos', join(dataDir, 'media'));
  for (const path of [dataDir, join(dataDir, 'mail'), join(dataDir, 'photos')]) chmodSync(path, 0o755);
  prepareDataFolder(dataDir);
  expect([dataDir, join(dataDir, 'mail'), join(dataDir, 'photos')].map(modeOf)).toEqual(['755', '700', '755']);
});

test('an error message says why DATA_DIR cannot be created', () => {
  const file = join(newFolder(), 'file');
  writeFileSync(file, '');
  for (const [dataDir, message] of [
    [file, 'there is a file of this name'],
    [join(file, 'data'), 'part of the path is a file'],
    [join(file, '..', 'x'.repeat(300)), 'the name is too long'],
    ['/proc/fieldfare/data', 'part of the path does not exist'],
  ] as const) {
    if (dataDir.startsWith('/proc') && !existsSync('/proc')) continue;
    expect(() => prepareDataFolder(dataDir)).toThrow(DataFolderError);
    expect(() => prepareDataFolder(dataDir)).toThrow(message);
  }
});
