import { unknown } from "../../../provider/values/unknown";
import { masked } from "../places";

/** Whether a value is not to be seen: the engine puts a text in the place of a secret, and of what only the update brings. */
export const isHidden = (value: unknown) => value === masked || value === unknown;

/** Whether a value or a part of it is not to be seen. */
export const holdsHidden = (value: unknown): boolean =>
  typeof value === "object" && value !== null ? Object.values(value).some(holdsHidden) : isHidden(value);
