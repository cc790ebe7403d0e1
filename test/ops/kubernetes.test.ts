import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'deploy/kubernetes');

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Lists the objects of the manifests, by file. */
const manifests = readdirSync(folder)
  .filter((file) => file !== 'kustomization.yaml')
  .flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document): [string, Manifest] => {
      expect(document.errors, file).toEqual([]);
      return [file, document.toJS() as Manifest];
    }),
  );

/** Returns where kubernetes-types has the types of an API. */
function typesOf({ apiVersion }: Manifest): string {
  const [group = '', version] = apiVersion.split('/');
  return version === undefined
    ? `kubernetes-types/core/${group}`
    : `kubernetes-types/${group.split('.')[0]}/${version}`;
}

/**
 * Returns what is wrong with manifests by the types of Kubernetes 1.30: members that are unknown or missing, and wrong values.
 * As literals, objects may have no others.
 */
function findFaults(objects: readonly (readonly [string, Manifest])[]): string {
  const place = mkdtempSync(join(tmpdir(), 'ff-kubernetes-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
    const constants = objects.map(
      ([, object], index) =>
        `export const m${index}: import('${typesOf(object)}').${object.kind} = ${JSON.stringify(object, undefined, 1)};`,
    );
    writeFileSync(join(place, 'manifests.ts'), constants.join('\n'));
    const options = ['--noEmit', '--strict', '--ignoreConfig', '--module', 'esnext', '--moduleResolution', 'bundler'];
    const tsc = join(root, 'node_modules/.bin/tsc');
    return spawnSync(tsc, [...options, 'manifests.ts'], { cwd: place, encoding: 'utf8' }).stdout;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

test('the manifests have the members that Kubernetes knows and requires', () => {
  expect(manifests.map(([, { kind }]) => kind)).toEqual(
    expect.arrayContaining(['Deployment', 'Ingress', 'Job', 'PodDisruptionBudget', 'Service']),
  );
  expect(findFaults(manifests)).toBe('');
});

test('a misspelt member, a missing one, a wrong value and an unknown kind are noticed', () => {
  const [file, deployment] = manifests.find(([, { kind }]) => kind === 'Deployment') ?? ['', undefined];
  const changes = [
    ['"readinessProbe"', '"readynessProbe"', /readynessProbe.* does not exist/],
    [/"selector":\{.*?\}\},/, '', /'selector' is missing/],
    ['"replicas":2', '"replicas":"two"', /'string' is not assignable to type 'number'/],
    ['"Deployment"', '"Deploiment"', /no exported member 'Deploiment'/],
    ['"apps/v1"', '"apps/v2"', /Cannot find module 'kubernetes-types\/apps\/v2'/],
  ] as const;
  const changed = changes.map(([from, to]): [string, Manifest] => [
    file,
    JSON.parse(JSON.stringify(deployment).replace(from, to)) as Manifest,
  ]);
  const faults = findFaults(changed);
  for (const [, , fault] of changes) expect(faults).toMatch(fault);
});

test('the kustomization applies every manifest, and names the image of each container', () => {
  const text = readFileSync(join(folder, 'kustomization.yaml'), 'utf8');
  const { resources, images } = parse(text) as { resources: string[]; images: { name: string }[] };
  expect(resources.toSorted()).toEqual([...new Set(manifests.map(([file]) => file))].toSorted());
  const used = JSON.stringify(manifests).matchAll(/"image":"([^"]*)"/g);
  expect([...new Set([...used].map(([, image]) => image))]).toEqual(images.map(({ name }) => name));
});
