/** The result of a preview, and the organization that runs it. */
interface PreviewedResources {
  /** The resources of this package that the program declares. */
  readonly all: number;
  /** Those of them that are new. */
  readonly created: number;
  /** From the SDK; undefined if the SDK does not expose it. */
  readonly organization: string | undefined;
}

/** With a file or bucket backend, fewer are created in half a minute. */
const manyCreates = 200;

/** The SDK's name for the owner of stacks whose backend is a file or a bucket. */
const withoutOwner = "organization";

/** A hint, if the update after this preview is a first load that the command `load` does faster. */
export function firstLoadHint({ all, created, organization }: PreviewedResources): string | undefined {
  // A program that runs the engine, such as `load` itself, has its own ways.
  if (process.env.PULUMI_AUTOMATION_API !== undefined || organization !== withoutOwner) return undefined;
  if (created < manyCreates || created < all) return undefined;
  return (
    `this update creates ${created} resources, and the engine writes the whole state to its file or bucket for each of ` +
    'them. To write it only once, at the end, run "npx pulumi-observability load"'
  );
}
