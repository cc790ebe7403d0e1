import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fixedId, type RoleId } from '../../platform/ids.ts';
import { everyoneRoleId, ownerPosition } from '../access/roles.ts';
import { chooseRole, type RankedRole } from './choose-role.ts';

const everyone: RankedRole = { id: everyoneRoleId, position: -1 };
const ranks = [10, 100, 500, ownerPosition];
const [low, middle, high, owner] = ranks.map((position): RankedRole => ({ id: String(position) as RoleId, position }));
const all = [everyone, low, middle, high, owner].filter((role) => role !== undefined);

test('groups give the highest of their roles, and take away only what they gave', () => {
  const choose = (current: RankedRole | undefined, grantedId: RoleId | null, ...ofGroups: (RankedRole | undefined)[]) =>
    chooseRole({ current: current ?? everyone, grantedId, ofGroups: ofGroups.filter((role) => role !== undefined) });
  expect(choose(everyone, null, low, high, middle)).toEqual({ roleId: high?.id, isGranted: true });
  expect(choose(high, high?.id ?? null, low)).toEqual({ roleId: low?.id, isGranted: true });
  expect(choose(high, high?.id ?? null)).toEqual({ roleId: everyone.id, isGranted: false });
  expect(choose(high, null)).toEqual({ roleId: high?.id, isGranted: false });
  expect(choose(high, low?.id ?? null, low)).toEqual({ roleId: high?.id, isGranted: false });
  expect(choose(low, null, low)).toEqual({ roleId: low?.id, isGranted: false });
  // The role of the grant was deleted since.
  expect(choose(everyone, fixedId('7'), low)).toEqual({ roleId: low?.id, isGranted: true });
});

test('nobody becomes or ceases to be an owner, and what is not from a group never gets lower', () => {
  const role = fc.constantFrom(...all);
  fc.assert(
    fc.property(role, fc.option(role), fc.array(role), (current, granted, ofGroups) => {
      const { roleId } = chooseRole({ current, grantedId: granted?.id ?? null, ofGroups });
      expect(roleId === owner?.id).toBe(current === owner);
      const position = all.find(({ id }) => id === roleId)?.position ?? Number.NaN;
      if (granted?.id !== current.id) expect(position).toBeGreaterThanOrEqual(current.position);
    }),
  );
});
