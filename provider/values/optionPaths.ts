import { nearest } from "../base/nearest";
import { type Field, ListField, ObjectField, type Shape } from "../schema/field";
import { fieldIn, formatPath, type Path, type PathStep, shapeIn } from "../schema/walk";
import { pathFrom } from "./ignored";

/** Outputs that are no arguments, and the argument `adopt` of other languages. */
const others = ["id", "urn", "createdAt", "updatedAt", "adopt"];

/**
 * The remedy for a path in an option such as `ignoreChanges` that leads to no argument; undefined if it leads to one.
 * @param onlyNames Whether the option takes only names of whole outputs.
 */
export function pathRemedy(root: ObjectField, text: string, onlyNames = false): string | undefined {
  const path = pathFrom(text);
  const [first, ...rest] = path;
  if (first === undefined || others.includes(text)) return undefined;
  if (onlyNames && rest.length > 0) return pathRemedy(root, String(first)) ?? `Use "${first}"`;
  if (onlyNames && first === "*") return listed(root.shape);
  const meant: PathStep[] = [];
  let field: Field = root;
  for (const step of path) {
    if (field instanceof ListField && typeof step === "string" && step !== "*") {
      field = field.item;
      meant.push("*");
    }
    // What follows may be in any of an object's fields.
    if (field instanceof ObjectField && step === "*") return undefined;
    const name: PathStep | undefined = field instanceof ObjectField ? nameIn(field.shape, step) : step;
    if (name === undefined) return listed(shapeIn(field), meant);
    const inner = fieldIn(field, name);
    if (inner === undefined) return `Use "${spelled(meant)}"`;
    meant.push(name);
    field = inner;
  }
  return spelled(meant) === spelled(path) ? undefined : `Did you mean "${spelled(meant)}"?`;
}

/** The field's name for one that is nearly right, in the API's spelling, or follows another word: `name` for `monitorName`. */
function nameIn({ fields, members }: Shape, step: PathStep): string | undefined {
  const typed = String(step);
  if (Object.hasOwn(fields, typed)) return typed;
  const names = Object.keys(fields);
  const isEnd = (name: string) => typed.toLowerCase().endsWith(name.toLowerCase());
  return members.find(({ wireName }) => wireName === typed)?.name ?? nearest(typed, names) ?? names.find(isEnd);
}

const listed = (shape: Shape | undefined, around: Path = []) =>
  `Known fields${around.length === 0 ? "" : ` of ${spelled(around)}`}: ${Object.keys(shape?.fields ?? {}).join(", ")}`;

const spelled = (path: Path) => formatPath(path).replaceAll('["*"]', "[*]");
