import { mapIn } from "../../schema/walk";
import { type Claim, nameOf } from "../objects/claims";
import type { DeclaredChange, ResourceDeclaration } from "./change";

/** Claims the object for this resource. Returns an error if another resource of the program declares it. */
export function claimObject(resource: ResourceDeclaration, change: DeclaredChange): string | undefined {
  const { session, kind, slug, objectKey, title } = resource.target;
  const { name = slug, instance = objectKey } = resource.context;
  const { serviceUrl, token } = session.declarations.origin;
  const others = session.declarations
    .claimsOf(kind.name, slug)
    .filter((other) => other.instance !== instance && other.serviceUrl === serviceUrl);
  const both = (other: Claim) => `${title} is declared by both "${nameOf(other)}" and "${name}"`;
  const conflict = others.find((other) => other.token === token);
  if (conflict !== undefined) {
    return kind.isSingleton
      ? `${both(conflict)}, but a service has only one. Remove one of them`
      : `${both(conflict)}. Set another slug on one of them`;
  }
  session.declarations.remember(objectKey, resource.context);
  keepClaim(resource, change);
  for (const other of others) {
    session.noteOnce(
      `${both(other)}, with different tokens. If both tokens see the same object, each resource overwrites the other's values. Set another slug on one of them`,
      "warning",
    );
  }
  return undefined;
}

export function keepClaim({ target, recordedSlug }: ResourceDeclaration, change: DeclaredChange) {
  const { session, kind, marks } = target;
  const step = change === "unchanged" ? change : recordedSlug === undefined ? "awaited" : "updated";
  const progress = {
    step,
    ...(recordedSlug === undefined ? {} : { recordedSlug }),
    // A key may be secret too, and other processes read the claim.
    ...(marks.length === 0 ? {} : { marks: marks.map((path) => mapIn(kind.root, path) ?? path) }),
  } as const;
  session.declarations.claim(target, progress);
}
