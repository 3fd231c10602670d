import { basename } from "node:path";
import type { Field } from "../../provider/schema/field";
import { leaves } from "../../provider/values/leaves";
import type { Names } from "./names";
import { variableOf } from "./names";

/** A value that several resources share, such as a schedule. */
export interface Constant {
  readonly value: unknown;
  /** Its type in the SDK: `Schedule`. */
  readonly type: string;
  readonly variable: string;
  /** The file that declares it, without `.ts`: `schedules`. */
  readonly file: string;
}

/** The values that the schema calls shared, as they are met. */
export class Shared {
  readonly #met = new Map<string, { readonly field: Field; readonly value: unknown; count: number }>();

  meet(field: Field | undefined, value: unknown): void {
    if (field?.options.shared !== true) return;
    const key = keyOf(value);
    const met = this.#met.get(key) ?? { field, value, count: 0 };
    met.count++;
    this.#met.set(key, met);
  }

  /** Those that were met more than once, by `keyOf`. */
  constants(names: Names, fileNamed: (wish: string) => string): ReadonlyMap<string, Constant> {
    const repeated = [...this.#met].filter(([, { count }]) => count > 1);
    return new Map(
      repeated.map(([key, { field, value }], i) => {
        const type = typeOf(field);
        const text = leaves(field, value).find((leaf) => typeof leaf.value === "string")?.value;
        const part = Math.floor(i / mostBeside) + 1;
        const file = fileNamed(`${type.charAt(0).toLowerCase()}${type.slice(1)}s${part === 1 ? "" : part}`);
        const variable = names.free(variableOf(`${String(text ?? "")} ${type}`, basename(file)));
        return [key, { value, type, variable, file }];
      }),
    );
  }
}

/** So many of some 30 lines fit into one file. */
const mostBeside = 8;

/** A text that is the same for equal values. */
export const keyOf = (value: unknown) => JSON.stringify(value);

const none = () => "";
const typeOf = (field: Field) =>
  field.visit<string>({ object: ({ shape }) => shape.name, scalar: none, list: none, map: none });
