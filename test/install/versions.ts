import { minimumVersion, newest, ownVersion } from "../../tools/pulumi.mjs";

/** Versions that are tested together. Without `node`, it is the Node.js of the run. */
export interface Versions {
  readonly sdk: string;
  readonly cli: string;
  readonly node?: string;
  /** In every run, and not only in the long one. */
  readonly isRegular?: boolean;
}

/** Newest first. 3.248.0 is the last SDK for Node.js 20, 3.216.0 the oldest that the package allows. */
export const tested: readonly Versions[] = [
  ...newest.nodes.map((node) => ({ node, sdk: newest.sdk, cli: ownVersion, isRegular: true })),
  { node: "24", sdk: "latest", cli: newest.cli },
  { node: "22", sdk: "latest", cli: ownVersion },
  { sdk: "3.248.0", cli: ownVersion, isRegular: true },
  { sdk: "3.248.0", cli: newest.cli },
  { sdk: "3.216.0", cli: ownVersion },
  { sdk: "3.216.0", cli: minimumVersion },
];
