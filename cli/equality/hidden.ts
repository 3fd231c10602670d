import { formatPath, type Path } from "../../provider/schema/walk";
import { masked } from "../../sdk/engine/preview";
import { unknown } from "../../provider/values/unknown";

/** Whether a value is hidden: the engine prints a placeholder instead of a secret or a value known only after the update. */
export const isHidden = (value: unknown) => value === masked || value === unknown;

/** `labelQuery is a secret` */
export const hiddenText = (path: Path, value: unknown) =>
  `${formatPath(path)} is ${value === masked ? "a secret" : "known only after the update"}`;

/** Whether a value or a part of it is hidden. */
export const holdsHidden = (value: unknown): boolean =>
  typeof value === "object" && value !== null ? Object.values(value).some(holdsHidden) : isHidden(value);

/** The value at a path, and `[secret]` for everything inside a masked value; undefined if there is none. */
export function shownAt(value: unknown, path: Path): unknown {
  let here = value;
  for (const step of path) {
    if (here === masked) return masked;
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Readonly<Record<string | number, unknown>>)[step];
  }
  return here;
}
