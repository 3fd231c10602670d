import { inOrder } from "../support/cases.js";
import { keptBy, versions } from "./kept.js";

type Args = Readonly<Record<string, unknown>>;

/** What a program declares, as data, so that it can be kept beside the state it made. */
export interface Declarations {
  /** Arguments of an explicit provider, which is then handed down by a component that all resources are part of. */
  readonly provider?: Args;
  readonly resources: readonly Declared[];
}

export interface Declared {
  readonly kind: string;
  /** The resource's Pulumi name. */
  readonly name: string;
  readonly args: Args;
  /** The arguments that change when everything is changed once. */
  readonly change?: Args;
  /** Arguments that the program itself calls secret. */
  readonly secrets?: readonly string[];
  /** The slug of an object of somebody else's, which is only read. */
  readonly read?: string;
}

/** The declarations with one change in every resource that is managed. */
export const changedOnce = ({ resources, ...rest }: Declarations): Declarations => ({
  ...rest,
  resources: resources.map(({ change = {}, ...declared }) => ({ ...declared, args: { ...declared.args, ...change } })),
});

/** An object that stands in the service before the program runs. */
export interface Standing {
  readonly kind: string;
  /** As it stands on the wire. */
  readonly object: Readonly<Record<string, unknown>>;
}

/** A program whose state is kept for each version. */
export interface Program {
  readonly declarations: Declarations;
  /** What others have made and the program reads. */
  readonly standing?: readonly Standing[];
}

const complete: Declarations = {
  resources: inOrder.map(({ kind, args, changes }) => ({
    kind: kind.name,
    name: `a-${kind.name}`,
    args,
    // An argument that has to go makes room for another; all kinds have one that needs no such thing.
    change: Object.values(changes).find((change) => !Object.values(change).includes(undefined)) ?? {},
  })),
};

/**
 * The programs whose states are kept, by the file's name: one of every kind and field, and those that the newest kept
 * version has. "least" leaves out what the provider or the service fills in. "provided" has an explicit provider, secrets
 * at every depth and an object that is only read.
 */
export const programs: Readonly<Record<string, Program>> & { readonly complete: Program } = {
  ...Object.fromEntries(
    keptBy(versions.at(-1) ?? "").map(([name, { declarations, objects }]) => {
      const read = declarations.resources.map((resource) => resource.read);
      return [name, { declarations, standing: objects.filter(({ object }) => read.includes(String(object.slug))) }];
    }),
  ),
  complete: { declarations: complete },
};
