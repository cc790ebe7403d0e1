import type { Argument, Command, Option } from 'commander';
import { createProgram } from '../../server/cli/program.ts';

/** Arguments and options that are right in form. Those of variadic ones are used once. */
export type Samples = (command: string, name: string) => string;

const leafCommands = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leafCommands);

const pathOf = (command: Command): string[] =>
  command.parent === null ? [] : [...pathOf(command.parent), command.name()];

/** A command of the program, with what it takes. */
export class UsedCommand {
  readonly path: readonly string[];
  readonly #command: Command;
  readonly #samples: Samples;

  constructor(command: Command, samples: Samples) {
    this.path = pathOf(command);
    this.#command = command;
    this.#samples = samples;
  }

  get name(): string {
    return this.path.join(' ');
  }

  get options(): readonly Option[] {
    return this.#command.options;
  }

  get arguments(): readonly Argument[] {
    return this.#command.registeredArguments;
  }

  /** Returns the words of a use with all that is required. `replaced` has other values, by names; undefined leaves one out. */
  use(replaced: Readonly<Record<string, string | undefined>> = {}): string[] {
    const valueOf = (name: string): string[] => {
      const value = Object.hasOwn(replaced, name) ? replaced[name] : this.#samples(this.name, name);
      return value === undefined ? [] : [value];
    };
    const given = this.options.filter(({ mandatory, long }) => mandatory || Object.hasOwn(replaced, long ?? ''));
    const positional = this.arguments.filter(({ required }, index) => required || this.#isFollowed(index, replaced));
    return [
      ...this.path,
      ...(this.options.some(({ long }) => long === '--json') ? ['--json'] : []),
      ...given.flatMap(({ long = '' }) => valueOf(long).map((value) => `${long}=${value}`)),
      '--',
      ...positional.flatMap((argument) => valueOf(argument.name())),
    ];
  }

  /** Whether an optional argument is needed, because it or one after it has a value. */
  #isFollowed(index: number, replaced: Readonly<Record<string, string | undefined>>): boolean {
    return this.arguments.slice(index).some((argument) => Object.hasOwn(replaced, argument.name()));
  }
}

export const listUsedCommands = async (samples: Samples): Promise<UsedCommand[]> =>
  leafCommands(await createProgram()).map((command) => new UsedCommand(command, samples));
