// What "pulumi preview --json" says, in words for people. Pure: a digest in, text out.

/**
 * @typedef {object} Digest as much of what "pulumi preview --json" prints as is read here; secrets come masked
 * @property {readonly Step[]} [steps]
 * @property {readonly Diagnostic[]} [diagnostics]
 *
 * @typedef {object} Step
 * @property {string} op
 * @property {string} urn
 * @property {State} [oldState]
 * @property {State} [newState]
 * @property {Readonly<Record<string, { readonly inputDiff?: boolean }>> | null} [detailedDiff]
 *
 * @typedef {{ readonly inputs?: unknown, readonly outputs?: unknown }} State
 * @typedef {{ readonly urn?: string, readonly message: string, readonly severity: string }} Diagnostic
 */

/** What an operation is to a reviewer, and what it says of the service when nothing should change. */
const operations = [
  { op: "create", sign: "+ ", verb: "create", found: "missing" },
  { op: "update", sign: "~ ", verb: "change", found: "differs" },
  { op: "replace", sign: "+-", verb: "replace", found: "differs" },
  { op: "delete", sign: "- ", verb: "delete", found: "not declared" },
];

/**
 * What a change would do, or why it is refused.
 * @param {Digest} digest
 */
export function reviewText(digest) {
  const problems = problemsText(digest);
  if (problems !== "") return paragraphs(`${titleOf(digest)}: refused`, problems, notesText(digest));
  const changes = changesOf(digest);
  const counts = operations
    .map(({ op, verb }) => ({ verb, count: changes.filter((step) => step.op === op).length }))
    .filter(({ count }) => count > 0)
    .map(({ verb, count }) => `${count} to ${verb}`);
  const lines = changes.flatMap((step) => [
    `${operationOf(step)?.sign} ${operationOf(step)?.verb} ${labelOf(step.urn)}`,
    ...differencesOf(step).flatMap(({ path, before, after }) => changeLines(path, before, after, "→")),
  ]);
  return paragraphs(
    `${titleOf(digest)}: ${counts.join(", ") || "nothing changes"}`,
    lines.join("\n"),
    notesText(digest),
  );
}

/**
 * What stands at the service and is not what the program says, or why nobody can tell.
 * @param {Digest} digest of a preview with --refresh
 */
export function driftText(digest) {
  const problems = problemsText(digest);
  if (problems !== "") return paragraphs(`${titleOf(digest)}: unable to compare`, problems, notesText(digest));
  const changes = changesOf(digest);
  if (changes.length === 0) return paragraphs(`${titleOf(digest)}: as the program says`, notesText(digest));
  const lines = changes.flatMap((step) => [
    `${operationOf(step)?.sign} ${operationOf(step)?.found}: ${labelOf(step.urn)}`,
    ...differencesOf(step).flatMap(({ path, before, after }) =>
      changeLines(path, before, after, "but the program says"),
    ),
  ]);
  const count = changes.length === 1 ? "1 resource is" : `${changes.length} resources are`;
  return paragraphs(
    `${titleOf(digest)}: ${count} not as the program says`,
    lines.join("\n"),
    'Edited outside of Pulumi, or merged and not applied yet. To restore what the\nprogram says: "pulumi up --refresh". To keep an edit: write it into the program.',
    notesText(digest),
  );
}

/**
 * A text as Markdown: in a fence that colours added and deleted lines, and that no text can close.
 * @param {string} text
 */
export function markdownOf(text) {
  const [title, ...rest] = text.split("\n");
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const body = rest.join("\n").trim();
  return body === "" ? `### ${title}\n` : `### ${title}\n\n${fence}diff\n${body}\n${fence}\n`;
}

/** @param {Digest} digest @returns {Step[]} in the order of the operations above, then by type and name */
function changesOf({ steps = [] }) {
  const changes = steps
    .filter(({ urn }) => !isStack(urn))
    .sort((a, b) => labelOf(a.urn).localeCompare(labelOf(b.urn), "en"));
  return operations.flatMap(({ op }) => changes.filter((step) => step.op === op));
}

/** @param {Step} step */
const operationOf = (step) => operations.find(({ op }) => op === step.op);

/** @param {Digest} digest why the preview failed, by resource; empty where it did not */
function problemsText({ diagnostics = [] }) {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const urns = [...new Set(errors.map(({ urn }) => urn))];
  return urns
    .map((urn) => {
      const messages = errors.filter((error) => error.urn === urn).map(({ message }) => wordsOf(message));
      const label = urn === undefined || isStack(urn) ? "the program" : labelOf(urn);
      return [`✗ ${label}`, ...new Set(messages)].join("\n").replaceAll("\n", "\n    ");
    })
    .join("\n");
}

/** @param {Digest} digest warnings and remarks, such as what could not be validated yet */
function notesText({ diagnostics = [] }) {
  const notes = diagnostics.filter(({ severity }) => severity !== "error").map(({ message }) => wordsOf(message));
  return [...new Set(notes)].map((note) => `note: ${note}`).join("\n");
}

/** @param {string} message a message without the engine's frame, terminal colours and stack lines of other people's code */
function wordsOf(message) {
  return stripColours(message)
    .replace(/^(?:error|warning): /, "")
    .replace(/^\S+ resource '[^']*' has a problem: /, "")
    .split("\n")
    .filter((line) => !/^\s+at .*(?:node:|node_modules|@pulumi\/)/.test(line))
    .join("\n")
    .trim();
}

/** @param {string} text */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what starts a colour
const stripColours = (text) => text.replace(/\u001b\[[0-9;]*m/g, "");

/** @param {Step} step the changed properties and their values on both sides */
function differencesOf({ detailedDiff, oldState, newState }) {
  return (
    Object.entries(detailedDiff ?? {})
      // Pulumi's and the provider's own, which nobody has written.
      .filter(([path]) => !path.startsWith("__"))
      .map(([path, { inputDiff }]) => ({
        path,
        before: valueAt(inputDiff ? oldState?.inputs : oldState?.outputs, path),
        after: valueAt(newState?.inputs, path),
      }))
  );
}

/** @param {string} path @param {string} before @param {string} after @param {string} between */
function changeLines(path, before, after, between) {
  if (before === secret && after === secret) return [`    ${path}: changed ${secret}`];
  const line = `    ${path}: ${before} ${between} ${after}`;
  // Two long values are compared more easily one above the other.
  return line.length <= 100 ? [line] : [`    ${path}:`, `      ${before}`, `      ${between} ${after}`];
}

const secret = "(secret)";

/**
 * @param {unknown} root
 * @param {string} path such as `labels["a.b"]` or `conditions[0].value`
 */
function valueAt(root, path) {
  let value = root;
  for (const [, quoted, index, plain] of path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)) {
    // The engine masks a whole list that holds a secret.
    if (value === masked) return secret;
    value =
      typeof value === "object" && value !== null ? Reflect.get(value, quoted ?? index ?? plain ?? "") : undefined;
  }
  if (value === undefined) return "nothing";
  if (value === masked) return secret;
  return value === unknown ? "(known after the update)" : JSON.stringify(value);
}

const masked = "[secret]";
/** What the engine puts in the place of values that only the update brings. */
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** @param {string} urn `urn:pulumi:<stack>::<project>::<parent type>$<type>::<name>` */
function partsOf(urn) {
  const [stack = "", project = "", types = "", ...name] = urn.replace(/^urn:pulumi:/, "").split("::");
  return { stack, project, type: types.split("$").at(-1) ?? "", name: name.join("::") };
}

/** @param {string} urn `Monitor "checkout-errors"` */
function labelOf(urn) {
  const { type, name } = partsOf(urn);
  return `${type.split(":").at(-1)} "${name}"`;
}

/** @param {string} urn */
const isStack = (urn) => partsOf(urn).type === "pulumi:pulumi:Stack";

/** @param {Digest} digest */
function titleOf({ steps = [], diagnostics = [] }) {
  const urn = [...steps, ...diagnostics].find((each) => each.urn !== undefined)?.urn;
  if (urn === undefined) return "preview";
  const { stack, project } = partsOf(urn);
  return `${project} in ${stack}`;
}

/** @param {string[]} parts */
const paragraphs = (...parts) => parts.filter((part) => part !== "").join("\n\n");
