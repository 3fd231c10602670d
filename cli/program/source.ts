import { dirname, relative, sep } from "node:path";
import type { Field } from "../../provider/schema/field";
import { literal, quoted } from "../../provider/values/literal";
import { type Constant, keyOf, type Shared } from "./constants";
import { ConfigSecret, type Declared } from "./item";
import { variableFor } from "./names";

/** The columns of a line: the default of the usual formatter. */
export const width = 80;

/** So many imports from one file become one of the whole file: they would hide the program. */
const mostImported = 10;

/** Prints values for one file, and keeps what the file must import. */
export class Source {
  readonly #imports = new Map<string, Set<string>>();
  #usesConfig = false;

  constructor(
    private readonly file: string,
    private readonly program: {
      readonly declared: Readonly<Record<string, Declared>>;
      /** By `keyOf`. */
      readonly constants?: ReadonlyMap<string, Constant>;
      readonly isTeam?: boolean;
      /** Is told of each value that may become a constant. */
      readonly shared?: Shared;
      /** The files that are imported as a whole, each with its name here. */
      readonly spaces?: ReadonlyMap<string, string>;
    },
  ) {}

  /** @param before The columns that its first line has beside it. */
  literal(field: Field, value: unknown, indent: string, before: number): string {
    return literal(value, field, { instead: (...part) => this.#instead(...part), width }, indent, before);
  }

  /** The files of which so much is imported that one import of the whole is easier to read. */
  get filesOfMany(): readonly string[] {
    return [...this.#imports].flatMap(([file, variables]) => (variables.size > mostImported ? [file] : []));
  }

  /** What the file imports, and the config if secrets are read from it. */
  get head(): string {
    const fromConfig = this.#usesConfig && this.program.isTeam !== true;
    const imports = [
      ...[...(this.program.spaces ?? [])].map(([file, space]) => [pathTo(file, this.file), `* as ${space}`] as const),
      ...[...this.#imports].map(([file, variables]) => [pathTo(file, this.file), [...variables].sort()] as const),
    ];
    return [
      ...(fromConfig ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
      'import * as obs from "pulumi-observability";',
      ...(this.#usesConfig && !fromConfig ? ['import { secretFrom } from "pulumi-observability/teams";'] : []),
      ...imports.sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, what]) => importOf(path, what)),
      ...(fromConfig ? ["", "const config = new pulumi.Config();"] : []),
    ].join("\n");
  }

  #instead(value: unknown, field: Field | undefined): string | undefined {
    if (value instanceof ConfigSecret) {
      this.#usesConfig = true;
      const isTeam = this.program.isTeam === true;
      return isTeam ? `secretFrom(${quoted(variableFor(value.key))})` : `config.requireSecret(${quoted(value.key)})`;
    }
    this.program.shared?.meet(field, value);
    const constant = field?.options.shared === true ? this.program.constants?.get(keyOf(value)) : undefined;
    if (constant !== undefined) return this.#imported(constant);
    const { declared } = this.program;
    const id = (field && referenceOf(field, value)) ?? "";
    const target = Object.hasOwn(declared, id) ? declared[id] : undefined;
    return target && `${this.#imported(target)}.slug`;
  }

  /** A variable, wherever it is declared. */
  #imported({ file, variable }: Pick<Declared, "file" | "variable">): string {
    if (file === this.file) return variable;
    const space = this.program.spaces?.get(file);
    if (space !== undefined) return `${space}.${variable}`;
    this.#imports.set(file, (this.#imports.get(file) ?? new Set()).add(variable));
    return variable;
  }
}

/** `datasets` from `checkout/payments` → `../datasets`. */
function pathTo(file: string, from: string): string {
  const path = relative(dirname(from), file).split(sep).join("/");
  return path.startsWith(".") ? path : `./${path}`;
}

function importOf(path: string, what: string | readonly string[]): string {
  if (typeof what === "string") return `import ${what} from "${path}";`;
  const flat = `import { ${what.join(", ")} } from "${path}";`;
  return flat.length <= width ? flat : `import {\n${what.map((each) => `  ${each},\n`).join("")}} from "${path}";`;
}

/** The item that a field refers to, as `idOf` names it. */
export const referenceOf = ({ options: { refersTo } }: Field, value: unknown): string | undefined =>
  refersTo !== undefined && typeof value === "string" ? `${refersTo}/${value}` : undefined;
